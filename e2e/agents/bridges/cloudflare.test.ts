import { loadSkillCatalog, type SkillCatalog } from 'agents/skills';
import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { testBridge } from '../bridge-cases.ts';

testBridge({
  name: 'Cloudflare Agents',
  whileDown: 'keeps',
  open({ skillset }, context) {
    const sources = [cloudflareSkillSource(skillset, { context })];
    const last: { previous?: SkillCatalog } = {};
    const load = async () => (last.previous = await loadSkillCatalog(sources, last));
    const read = async (name: string, path: string) => {
      const answer = await (await load()).readResource({ name, path });
      return answer.ok ? answer.value.resource : null;
    };
    return {
      list: async () => (await load()).skills.map(({ skill }) => skill.name),
      async load(name) {
        const answer = (await load()).activate(name);
        return answer.ok ? answer.value : null;
      },
      async readText(name, path) {
        const resource = await read(name, path);
        return resource?.encoding === 'text' ? resource.content : null;
      },
      async readBytes(name, path) {
        const resource = await read(name, path);
        return resource?.encoding === 'base64' ? Uint8Array.from(atob(resource.content), (character) => character.charCodeAt(0)) : null;
      },
      readScript: async (name, path) => (await read(name, path))?.content ?? null,
    };
  },
});
