import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillSession, type SkillState } from '@repertoire/skills-core';
import { restoreSkills, type SkillTurn } from '@repertoire/skills-core/adapter';
import type { RestoredSkill } from '@repertoire/skills-core/internal';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

const names = ['a', 'b', 'c'];
const anyAct = fc.oneof(
  fc.record({ do: fc.constant('say' as const), words: fc.integer({ min: 1, max: 150 }) }),
  fc.record({ do: fc.constantFrom('load' as const, 'unload' as const), skill: fc.constantFrom(...names) }),
);

type Act = typeof anyAct extends fc.Arbitrary<infer One> ? One : never;

/** A conversation as a host has it: its turns, and what the server keeps after each. */
interface Played {
  readonly turns: readonly SkillTurn[];
  readonly kept: readonly SkillState[];
}

async function play(session: SkillSession, acts: readonly Act[]): Promise<Played> {
  const turns: SkillTurn[] = [{ role: 'user', entries: [], tokens: 5 }];
  const kept: SkillState[] = [emptySkillState];
  const add = (turn: SkillTurn, state: SkillState) => {
    turns.push(turn);
    kept.push(state);
  };
  for (const act of acts) {
    const state = kept.at(-1) ?? emptySkillState;
    const at = turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    if (act.do === 'say') {
      add({ role: 'assistant', entries: [], tokens: act.words }, state);
      add({ role: 'user', entries: [], tokens: 3 }, state);
      continue;
    }
    const tool = session.tools.find(({ role }) => role === act.do);
    const input = { name: act.skill };
    const result = await tool?.execute(input, { state, at });
    const text = result?.text ?? '';
    add({ role: 'assistant', entries: [], callIds: [`call-${turns.length}`], tokens: session.lengthOf(JSON.stringify(input)) }, state);
    const entries = [{ tool: tool?.name ?? '', input, output: text, at }];
    add({ role: 'tool', entries, tokens: session.lengthOf(text) }, session.apply(state, result?.events ?? []));
  }
  return { turns, kept };
}

/**
 * The conversation as the model reads it: a number for each of its own messages, the id of each
 * insertion.
 */
function view(length: number, back: readonly RestoredSkill[]): string[] {
  const before = (index: number) => back.filter((skill) => skill.before === index).map(({ toolCallId }) => toolCallId);
  return [...Array.from({ length }).flatMap((_, index) => [...before(index), String(index)]), ...before(length)];
}

/** The turns with the insertions as messages, as frameworks carry them on. */
function carried(session: SkillSession, turns: readonly SkillTurn[], back: readonly RestoredSkill[]): SkillTurn[] {
  const all: SkillTurn[] = [];
  let tokens = 0;
  const push = (turn: SkillTurn) => {
    all.push(turn);
    tokens += turn.tokens ?? 0;
  };
  for (let index = 0; index <= turns.length; index += 1) {
    for (const { toolCallId, input, text } of back.filter(({ before }) => before === index)) {
      const at = tokens;
      push({ role: 'assistant', entries: [], callIds: [toolCallId], tokens: session.lengthOf(JSON.stringify(input)) });
      push({ role: 'tool', entries: [{ tool: 'load_skill', input, output: text, at }], tokens: session.lengthOf(text) });
    }
    const turn = turns[index];
    if (turn !== undefined) push(turn);
  }
  return all;
}

const sessionOf = (afterTokens: number) =>
  createSkillset({
    skills: names.map((name, index) => ({
      name,
      description: `Does ${name}.`,
      body: 'word '.repeat(10 + 25 * index),
      tools: [`t_${name}`],
    })),
    conversation: { refresh: { afterTokens } },
  }).open();

it('DIS-12: what is repeated stays where it was repeated, whatever is loaded and unloaded later: the prompt only grows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 14 }), fc.integer({ min: 1, max: 200 }), async (acts, afterTokens) => {
      const session = await sessionOf(afterTokens);
      const { turns, kept } = await play(session, acts);
      let before: string[] = [];
      for (let length = 1; length <= turns.length; length += 1) {
        // No model is called between a call and its result.
        if (turns[length - 1]?.role === 'assistant') continue;
        const shown = turns.slice(0, length);
        const back = await restoreSkills(session, shown, { state: kept[length - 1] });
        const now = view(length, back);
        expect(now.slice(0, before.length)).toStrictEqual(before);
        before = now;
      }
    }),
    { numRuns: propertyRuns(150) },
  );
});

/**
 * Several become due at one message, and one of them again within the words of the others. It
 * depends on a few tokens, so there are many.
 */
const groups = Array.from({ length: 60 }, (_, more): [Act[], number] => [
  [
    { do: 'load', skill: 'c' },
    { do: 'load', skill: 'a' },
    { do: 'say', words: 24 },
    { do: 'load', skill: 'b' },
  ],
  120 + more,
]);

it('DIS-12: a framework that carries insertions on from step to step gets none of them twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { maxLength: 14 }), fc.integer({ min: 1, max: 200 }), async (acts, afterTokens) => {
      const session = await sessionOf(afterTokens);
      const { turns, kept } = await play(session, acts);
      const back = await restoreSkills(session, turns, { state: kept.at(-1) });
      const again = await restoreSkills(session, carried(session, turns, back), { state: kept.at(-1) });
      expect(again.map(({ toolCallId }) => toolCallId)).toStrictEqual([]);
    }),
    { numRuns: propertyRuns(150), examples: groups },
  );
});

it('DIS-12: nothing is repeated of a skill that only the messages claim to be loaded', async () => {
  const session = await sessionOf(20);
  const { turns, kept } = await play(session, [
    { do: 'load', skill: 'a' },
    { do: 'say', words: 100 },
  ]);
  const repeated = await restoreSkills(session, turns, { state: kept.at(-1) });
  expect(new Set(repeated.map(({ name }) => name))).toEqual(new Set(['a']));
  expect(await restoreSkills(session, turns, { state: emptySkillState })).toEqual([]);
});
