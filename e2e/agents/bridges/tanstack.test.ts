import { tanstackSkillSource } from '@repertoire/bridges/tanstack';
import { testBridge } from '../bridge-cases.ts';

// The package with `withSkills` is not published, so this is the source alone; agents.test.ts plays it through `chat` of @tanstack/ai.
testBridge({
  name: 'TanStack AI',
  loadsWholeFile: true,
  open({ skillset }, context) {
    const { list, load, listResources, readResource, listScripts, readScript } = tanstackSkillSource(skillset, { context });
    return {
      list: async () => (await list()).map(({ name }) => name),
      load,
      async readText(name, path) {
        const content = await readResource(name, path);
        return (await listResources(name)).includes(path) && typeof content === 'string' ? content : null;
      },
      async readBytes(name, path) {
        const content = await readResource(name, path);
        return typeof content === 'string' ? null : content;
      },
      async readScript(name, path) {
        const bytes = await readScript(name, path);
        return (await listScripts(name)).some((script) => script.path === path) ? new TextDecoder().decode(bytes) : null;
      },
    };
  },
});
