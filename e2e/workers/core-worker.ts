/** Defines a skill in code, lists, loads it and reads a file, as an agent would. */
import { createSkillset, defineSkill, type SkillState } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/state';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds orders. Use when a customer wants money back.',
  body: 'Confirm the order, then refund it.',
  resources: { 'references/policy.md': 'Within 30 days.\n', 'assets/seal.bin': Uint8Array.of(0, 159, 146, 150) },
});

const worker = {
  async fetch(): Promise<Response> {
    const skillset = createSkillset({ skills: [refunds] });
    const catalog = await skillset.catalog();
    const tools = skillset.tools(catalog);
    let state: SkillState = skillset.state([]);

    const call = async (role: string, input: unknown): Promise<string> => {
      const tool = tools.find((candidate) => candidate.role === role);
      if (tool === undefined) throw new Error(`No tool has the role ${role}.`);
      const { text, events } = await tool.execute(input, { state });
      for (const event of events) state = reduceSkillState(state, event);
      return text;
    };
    return Response.json({
      listed: (await skillset.provider.listSkills()).map(({ name }) => name),
      catalog: catalog.text,
      loaded: await call('load', { name: 'refunds' }),
      read: await call('readFile', { skill: 'refunds', path: 'references/policy.md' }),
      refused: await call('readFile', { skill: 'refunds', path: '../secret' }),
      state,
    });
  },
};
export default worker;
