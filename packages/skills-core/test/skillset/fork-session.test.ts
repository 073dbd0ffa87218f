import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillDefinition, type SkillsetOptions, skillAllowedTools } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import { claimed, foldEvents, stateAfter } from '../helpers/loaded-state.ts';

const audit: SkillDefinition = {
  name: 'audit',
  description: 'Audits.',
  body: 'Audit $ARGUMENTS.',
  context: 'fork',
  tools: ['read_books'],
  resources: { 'list.md': 'One by one.' },
};
const pay: SkillDefinition = { name: 'pay', description: 'Pays.', body: 'Pay.', tools: ['pay_now'] };

async function forked(options: Partial<SkillsetOptions> = {}) {
  const session = await createSkillset({ skills: [audit, pay], ...options }).open();
  const { fork } = await session.load({ name: 'audit', arguments: 'the books' }, { state: emptySkillState, canFork: true });
  if (fork === undefined) throw new Error('It is no fork.');
  return { session, fork, ...session.inFork(fork) };
}

describe('the session of a forked skill’s agent', () => {
  it('GOV-4 DIS-19: has the skill loaded from the start, with its tools, and nothing that its parent had', async () => {
    const { alone, beside, session } = await forked();
    for (const child of [alone, beside]) {
      const state = child.state([]);
      expect(loadedSkillNames(state)).toEqual(['audit']);
      expect((await child.judgeCall(state, { tool: 'read_books' })).decision).toBe('allowed');
      expect((await child.judgeCall(state, { tool: 'pay_now' })).decision).toBe('denied');
    }
    expect(loadedSkillNames(session.state([]))).toEqual([]);
  });

  it('GOV-4: alone it sees that skill and no other; beside it sees all', async () => {
    const { alone, beside, session } = await forked();
    expect([alone.catalog.text, alone.catalog.listed.map(({ name }) => name)]).toEqual(['', ['audit']]);
    expect((await alone.load({ name: 'pay' }, { state: alone.state([]) })).error?.code).toBe('skill-not-found');
    const read = alone.tools.find(({ role }) => role === 'readFile');
    expect((await read?.execute({ skill: 'audit', path: 'list.md' }, { state: alone.state([]) }))?.text).toContain('One by one.');
    expect(beside.catalog.listed).toEqual(session.catalog.listed);
    expect((await beside.load({ name: 'pay' }, { state: beside.state([]) })).text).toContain('Pay.');
  });

  it('GOV-11: what the host closed is closed in the fork, also where the agent sees one skill', async () => {
    const { alone } = await forked({ gates: { tools: ['delete_*'] } });
    for (const tool of ['delete_all', 'pay_now']) expect((await alone.judgeCall(alone.state([]), { tool })).decision).toBe('denied');
  });
});

describe('session.active', () => {
  it('GOV-11: names the loaded skills that are in force: listed in this revision, and permitted now', async () => {
    let isAllowed = true;
    const session = await createSkillset({
      skills: [audit, pay],
      audience: { permissions: ({ skill }) => isAllowed || skill.name !== 'pay' },
    }).open();
    const state = await stateAfter(session, 'pay', 'audit');
    expect((await session.active(state)).map(({ name }) => name)).toEqual(['pay', 'audit']);
    isAllowed = false;
    expect((await session.active(state)).map(({ name }) => name)).toEqual(['audit']);
    expect(await session.active(foldEvents([claimed('audit'), claimed('nobody')]))).toEqual([]);
  });

  it('GOV-2: says whether allowed-tools can forbid calls', async () => {
    for (const [allowedTools, restricts] of [
      ['restrict', true],
      ['pre-approve', false],
      [undefined, false],
    ] as const)
      expect(
        (await createSkillset({ skills: [audit], allowedTools: allowedTools && skillAllowedTools({ policy: allowedTools }) }).open())
          .restricts,
      ).toBe(restricts);
  });
});
