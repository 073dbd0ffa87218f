import { expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillDefinition } from '@repertoire/skills-core';
import { stateAfter } from '../helpers/loaded-state.ts';

const billing: SkillDefinition = { name: 'billing', description: 'Refunds.', body: 'Refund.', tools: ['process_refund'] };

it('GOV-5: a tool that is left out for a role is not there, and refuses, also while its skill is loaded', async () => {
  const skillset = createSkillset<string>({
    skills: [billing],
    surface: { tools: 'full' },
    audience: { tools: (tool, role) => role === 'admin' || !['load_skill', 'process_refund'].includes(tool) },
  });
  const [admin, support] = [await skillset.open({ context: 'admin' }), await skillset.open({ context: 'support' })];
  const names = (session: typeof admin) => session.tools.map(({ name }) => name);
  expect(names(admin).filter((name) => !names(support).includes(name))).toEqual(['load_skill']);
  expect([support.isHidden('process_refund'), admin.isHidden('process_refund'), support.isHidden('lookup')]).toEqual([true, false, false]);
  const loaded = await stateAfter(admin, 'billing');
  expect((await admin.judgeCall(loaded, { tool: 'process_refund' })).decision).toBe('allowed');
  expect(await support.judgeCall(loaded, { tool: 'process_refund' })).toMatchObject({
    decision: 'denied',
    error: { code: 'permission-denied' },
    openedBy: [],
  });
  expect((await support.judgeCall(loaded, { tool: 'lookup' })).decision).toBe('allowed');
});

it('GOV-5: a hook that throws, forgets to answer or answers later leaves the tool out; while skills cannot be read, every tool refuses', async () => {
  const hooks = [
    () => {
      throw new Error('x');
    },
    () => undefined as never,
    () => Promise.resolve(true) as never,
  ];
  for (const selectTools of hooks) {
    const session = await createSkillset({ skills: [billing], audience: { tools: selectTools } }).open();
    expect(session.tools).toEqual([]);
    expect((await session.judgeCall(emptySkillState, { tool: 'lookup' })).decision).toBe('denied');
  }
  const skillset = createSkillset({ skills: [billing], audience: { tools: () => true } });
  expect(skillset.judgeCallOffline(emptySkillState, 'lookup', new Error('down')).decision).toBe('denied');
  expect(createSkillset({ skills: [billing] }).judgeCallOffline(emptySkillState, 'lookup', new Error('down')).decision).toBe('allowed');
});
