import { RequestContext } from '@mastra/core/request-context';
import { createSkill, resolveAgentSkills } from '@mastra/core/skills';
import { createSkillTools, Workspace } from '@mastra/core/workspace';
import { mastraSkills, mastraSkillSource } from '@repertoire/bridges/mastra';
import { testBridge } from '../bridge-cases.ts';

testBridge({
  name: 'Mastra, skills of a workspace',
  whileDown: 'lists-nothing',
  open({ skillset }, context) {
    const { skills } = new Workspace({ skillSource: mastraSkillSource(skillset, { context }), skills: ['/'] });
    if (skills === undefined) throw new Error('The workspace has no skills.');
    const { skill: tool } = createSkillTools(skills);
    return {
      async list() {
        // By itself it looks at the times of the folders, at most every 30 seconds.
        await skills.list();
        await skills.refresh();
        return (await skills.list()).map(({ name }) => name);
      },
      async load(name) {
        const text = String(await tool?.execute?.({ name }, {}));
        return (await skills.get(name)) === null ? null : text;
      },
      readText: (name, path) => skills.getReference(name, path),
      readScript: (name, path) => skills.getScript(name, path),
      readBytes: (name, path) => skills.getAsset(name, path),
    };
  },
});

testBridge({
  name: 'Mastra, skills of an agent',
  isLive: false,
  async open({ skillset }, caller) {
    const requestContext = new RequestContext();
    requestContext.set('caller', caller);
    const resolver = mastraSkills(skillset, {
      createSkill,
      context: (request) => request.requestContext.get('caller') as typeof caller & object,
    });
    const skills = resolveAgentSkills(await resolver({ requestContext }));
    return {
      list: async () => (await skills.list()).map(({ name }) => name),
      load: async (name) => (await skills.get(name))?.instructions ?? null,
      readText: (name, path) => skills.getReference(name, path),
    };
  },
});
