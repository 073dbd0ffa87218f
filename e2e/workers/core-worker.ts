/** Defines a skill in code, lists, loads it and reads a file, as an agent would. */
import { createSkillset, defineSkill, emptySkillState, type SkillState } from '@repertoire/skills-core';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds orders. Use when a customer wants money back.',
  body: 'Confirm the order, then refund it.',
  resources: { 'references/policy.md': 'Within 30 days.\n', 'assets/seal.bin': Uint8Array.of(0, 159, 146, 150) },
});

const worker = {
  async fetch(): Promise<Response> {
    const skillset = createSkillset({ skills: [refunds] });
    const session = await skillset.open();
    let state: SkillState = emptySkillState;

    const call = async (role: string, input: unknown): Promise<string> => {
      const tool = session.tools.find((candidate) => candidate.role === role);
      if (tool === undefined) throw new Error(`No tool has the role ${role}.`);
      const { text, events } = await tool.execute(input, { state });
      state = session.apply(state, events);
      return text;
    };
    return Response.json({
      listed: (await skillset.provider.listSkills()).skills.map(({ name }) => name),
      catalog: session.catalog.text,
      loaded: await call('load', { name: 'refunds' }),
      read: await call('readFile', { skill: 'refunds', path: 'references/policy.md' }),
      refused: await call('readFile', { skill: 'refunds', path: '../secret' }),
      state,
    });
  },
};
export default worker;
