import { cloudflareSkillSource } from '@repertoire/bridges/cloudflare';
import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import { loadSkillCatalog } from 'agents/skills';
import { createSkillTools } from 'agents/skills/tools/ai-sdk';

const provider = new SkillRegistry({
  skills: [
    {
      name: 'refunds',
      description: 'Gives money back.',
      body: 'Ask first.',
      resources: { 'assets/stamp.bin': Uint8Array.of(0, 255, 128) },
    },
    { name: 'salaries', description: 'Pays salaries.', body: 'On the last day.' },
  ],
});
const skillset = createSkillset<string>({ provider, audience: { select: ({ name }, role) => name !== 'salaries' || role === 'clerk' } });

export default {
  /** What a Think agent makes of its `getSkills()`, for the role in the address. */
  async fetch(request: Request): Promise<Response> {
    const context = new URL(request.url).pathname.slice(1);
    const catalog = await loadSkillCatalog([cloudflareSkillSource(skillset, { context })]);
    const tools = createSkillTools(catalog);
    const call = { toolCallId: '1', messages: [], context: undefined };
    const loaded: unknown = await tools['activate_skill']?.execute?.({ name: 'refunds' }, call);
    const read = await catalog.readResource({ name: 'refunds', path: 'assets/stamp.bin' });
    const stamp = read.ok ? read.value.resource.content : read.error.message;
    return Response.json({ prompt: catalog.prompt(), tools: Object.keys(tools), loaded, stamp });
  },
};
