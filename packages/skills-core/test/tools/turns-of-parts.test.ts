import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  defineSkill,
  emptySkillState,
  SkillError,
  type SkillDiagnostic,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import {
  entriesOfTurns,
  forkAnswer,
  judgeToolOfSkill,
  modelAskedFor,
  stateOfTurns,
  turnsOfParts,
  withInserted,
  type TurnPart,
} from '@repertoire/skills-core/adapter';

const measure = { lengthOf: (text: string) => text.length };
const call = (id: string, tool = 'search'): TurnPart => ({ type: 'call', id, tool, input: { q: 1 } });
const result = (id: string, text: string | undefined, tool?: string): TurnPart => ({
  type: 'result',
  id,
  tool,
  text,
  read: text ?? 'failed',
});
const of = (role: 'user' | 'assistant' | 'tool', ...parts: TurnPart[]) => ({ role, parts });

describe('turnsOfParts', () => {
  it('counts what was read and written, and places the calls of a step at its start', () => {
    const turns = turnsOfParts(
      [
        of('user', { type: 'text', text: 'abc' }),
        of('assistant', { type: 'step' }, call('1'), { ...call('2'), written: 'x' } as TurnPart, { type: 'text', text: 'de' }),
        of('tool', result('1', 'four'), result('2', undefined)),
      ],
      measure,
    );
    expect(turns.map(({ tokens }) => tokens)).toEqual([3, '{"q":1}'.length + 1 + 2, 'four'.length + 'failed'.length]);
    expect(turns.map(({ callIds }) => callIds)).toEqual([[], ['1', '2'], []]);
    expect(entriesOfTurns(turns)).toEqual([{ tool: 'search', input: { q: 1 }, output: 'four', at: 3 }]);
  });

  it('leaves lengths and places out where nothing measures', () => {
    expect(turnsOfParts([of('assistant', call('1')), of('tool', result('1', 'a'))])).toEqual([
      { role: 'assistant', entries: [], callIds: ['1'] },
      { role: 'tool', entries: [{ tool: 'search', input: { q: 1 }, output: 'a' }], callIds: [] },
    ]);
  });

  it.each([
    ['calls that a person wrote', [of('user', call('1')), of('tool', result('1', 'a'))]],
    ['results that a person wrote', [of('assistant', call('1')), of('user', result('1', 'a'))]],
    ['results without a call', [of('tool', result('1', 'a'))]],
    ['results of another tool', [of('assistant', call('1')), of('tool', result('1', 'a', 'other'))]],
    ['second results', [of('assistant', call('1')), of('tool', result('1', undefined)), of('tool', result('1', 'a'))]],
  ])('takes no entry from %s', (_what, messages) => {
    expect(entriesOfTurns(turnsOfParts(messages))).toEqual([]);
  });

  it('takes an id for its latest call, and a result with the tool of its call', () => {
    const messages = [of('assistant', call('1', 'a')), of('assistant', call('1', 'b')), of('tool', result('1', 'x', 'b'))];
    expect(entriesOfTurns(turnsOfParts(messages)).map(({ tool }) => tool)).toEqual(['b']);
  });
});

it('inserts messages before the one that is named, and at the end', () => {
  const skills = [{ before: 2 }, { before: 0 }, { before: 0 }];
  expect(withInserted(['a', 'b'], skills, ({ before }) => [`<${before}`, '>'])).toEqual(['<0', '>', '<0', '>', 'a', 'b', '<2', '>']);
});

it('answers a fork, or says how it failed; aborts and interrupts pass', async () => {
  expect(await forkAnswer('research', async () => 'Three.')).toContain('Three.');
  expect(await forkAnswer('research', () => Promise.reject(new Error('The library is closed.')))).toContain('The library is closed.');
  const interrupt = Object.assign(new Error('paused'), { is_bubble_up: true });
  await expect(forkAnswer('research', () => Promise.reject(interrupt))).rejects.toBe(interrupt);
  const reason = new Error('gone');
  await expect(forkAnswer('research', () => Promise.reject(new Error('late')), AbortSignal.abort(reason))).rejects.toBe(reason);
});

it('finds the model that a skill asks for, and reports one that the host has not named', () => {
  const reported: SkillDiagnostic[] = [];
  const report = (diagnostic: SkillDiagnostic) => void reported.push(diagnostic);
  expect(modelAskedFor({ small: 1 }, 'small', report)).toBe(1);
  expect(modelAskedFor((name) => name.length, 'small', report)).toBe(5);
  expect(modelAskedFor({ small: 1 }, undefined, report)).toBeUndefined();
  expect(reported).toEqual([]);
  expect(modelAskedFor({ small: 1 }, 'constructor', report)).toBeUndefined();
  expect(reported).toMatchObject([{ code: 'unknown-model' }]);
});

describe('judgeToolOfSkill', () => {
  const billing = defineSkill({ name: 'billing', description: 'Refunds.', body: 'Ask first.', tools: ['pay'] });
  const skillset = createSkillset({ skills: [billing], gates: { tools: ['pay'] } });
  const open = (): Promise<SkillSession> => skillset.open();
  const down = (): Promise<SkillSession> => Promise.reject(new SkillError('source-unavailable', 'The disk is away.'));
  const atStart = { state: emptySkillState, canFork: false };

  it('opens what a loaded skill names or brings, and nothing else', async () => {
    const session = await open();
    const loaded: SkillState = session.apply(emptySkillState, (await session.load({ name: 'billing' }, { state: emptySkillState })).events);
    expect(await judgeToolOfSkill(skillset, open, { tool: 'pay' }, { ...atStart, state: loaded })).toMatchObject({ decision: 'allowed' });
    expect(await judgeToolOfSkill(skillset, open, { tool: 'pay' }, atStart)).toMatchObject({ decision: 'denied' });
    const ofBilling = { tool: 'print', ofSkill: 'billing' };
    expect(await judgeToolOfSkill(skillset, open, ofBilling, { ...atStart, state: loaded })).toMatchObject({ decision: 'allowed' });
    expect(await judgeToolOfSkill(skillset, open, ofBilling, atStart)).toMatchObject({ decision: 'denied' });
  });

  it('keeps gated tools and tools of skills closed while no skills can be read', async () => {
    expect(await judgeToolOfSkill(skillset, down, { tool: 'search' }, atStart)).toMatchObject({ decision: 'allowed' });
    expect(await judgeToolOfSkill(skillset, down, { tool: 'pay' }, atStart)).toMatchObject({ decision: 'denied' });
    const verdict = await judgeToolOfSkill(skillset, down, { tool: 'print', ofSkill: 'billing' }, atStart);
    expect(verdict).toMatchObject({ decision: 'denied', error: { code: 'source-unavailable' } });
    const reason = new Error('gone');
    await expect(judgeToolOfSkill(skillset, down, { tool: 'pay' }, { ...atStart, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

it('says what a conversation has loaded', async () => {
  const skillset = createSkillset({ skills: [defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Short.' })] });
  const session = await skillset.open();
  const { text } = await session.load({ name: 'haiku' }, { state: emptySkillState });
  const turns = turnsOfParts([of('assistant', call('1', 'load_skill')), of('tool', result('1', text))]);
  expect(Object.keys(stateOfTurns(session, turns).loaded)).toEqual(['haiku']);
  expect(Object.keys(stateOfTurns(session, turns, emptySkillState).loaded)).toEqual([]);
});
