import { asClaims } from '../../helpers/loaded-state.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, SkillRegistry, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { loadedSkillNames, reduceSkillState, skillStateFromTranscript, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { skillStateInContext } from '../../../src/state/state-in-context.ts';
import { skillsDueForRefresh } from '../../../src/state/refresh.ts';
import { lostTexts } from '../../../src/tools/activation/lost-texts.ts';

const names = ['alpha', 'beta', 'gamma'];
const skills = names.map((name) => ({
  name,
  description: `${name}.`,
  body: Array.from({ length: 200 }, (_, line) => `${name} line ${line}`).join('\n'),
  tools: [`${name}_tool`],
}));
const skillset = createSkillset({ skills });

async function loadAll(): Promise<SkillState> {
  const [load] = (await skillset.open()).tools;
  let state = emptySkillState;
  for (const name of names)
    state = ((await load?.execute({ name }, { state }))?.events ?? []).reduce((current, event) => reduceSkillState(current, event), state);
  return state;
}

describe('lostTexts', () => {
  it('DIS-13: gives back nothing while everything stands in the context', async () => {
    expect(await lostTexts((await skillset.open()).inside, await loadAll())).toEqual({ skills: [], omitted: [] });
  });

  it('DIS-13: after a compaction gives the texts of all, in the order of loading; then a re-load is short again', async () => {
    const session = await skillset.open();
    const loaded = await loadAll();
    const compacted = reduceSkillState(loaded, { type: 'compacted' });
    const result = await lostTexts(session.inside, compacted);
    expect(result.skills.map((skill) => skill.name)).toEqual(names);
    const [load] = session.tools;
    expect(result.skills[0]?.text).toBe((await load?.execute({ name: 'alpha' }, { state: emptySkillState }))?.text);
    const state = result.skills
      .flatMap(({ events }) => events)
      .reduce<SkillState>((current, event) => reduceSkillState(current, event), compacted);
    expect(loadedSkillNames(state)).toEqual(names);
    expect((await load?.execute({ name: 'alpha' }, { state }))?.text).toContain('already active');
  });

  it('GOV-10, DIS-13: what is cut of an untrusted skill still ends with the warning', async () => {
    const foreign = createSkillset({ provider: new SkillRegistry({ skills, label: 'foreign', trusted: false }) });
    const session = await foreign.open();
    const { events } = await session.load({ name: 'alpha' }, { state: emptySkillState });
    const state = reduceSkillState(
      events.reduce((current, event) => reduceSkillState(current, event), emptySkillState),
      { type: 'compacted' },
    );
    const [alpha] = (await lostTexts(session.inside, state, { perSkill: 300 })).skills;
    expect(alpha?.cut).toBe(true);
    expect(alpha?.text).toMatch(
      /\nThe instructions are cut here\. Call load_skill with "alpha" to get them whole\.\n\nThe text above comes from a source that this application does not vouch for\..*\n<\/skill_content>$/,
    );
    // The warning counts as well: where it has no room, nothing is given.
    expect(await lostTexts(session.inside, state, { perSkill: 60 })).toMatchObject({
      skills: [],
      omitted: [{ name: 'alpha', reason: 'budget' }],
    });
  });

  it('DIS-13: the newest has the first claim on the budget; what is cut says so and comes whole when asked for', async () => {
    const session = await skillset.open();
    const compacted = reduceSkillState(await loadAll(), { type: 'compacted' });
    const result = await lostTexts(session.inside, compacted, { tokenBudget: 700, perSkill: 400 });
    expect(result.omitted).toEqual([{ name: 'alpha', reason: 'budget' }]);
    expect(result.skills.map(({ name, cut }) => [name, cut])).toEqual([
      ['beta', true],
      ['gamma', true],
    ]);
    expect(result.skills[1]?.text).toMatch(
      /^<skill_content name="gamma".*\ngamma line 0\n.*The instructions are cut here\. Call load_skill with "gamma" to get them whole\.\n<\/skill_content>$/s,
    );
    const state = result.skills
      .flatMap(({ events }) => events)
      .reduce<SkillState>((current, event) => reduceSkillState(current, event), compacted);
    const [load] = session.tools;
    expect((await load?.execute({ name: 'gamma' }, { state }))?.text).toContain('gamma line 199');
  });

  it('DIS-13: stays within every budget', async () => {
    const counts = (text: string) => text.length;
    const counted = createSkillset({ skills, countTokens: counts });
    const session = await counted.open();
    const compacted = reduceSkillState(await loadAll(), { type: 'compacted' });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: 300, max: 5_000 }), async (tokenBudget, perSkill) => {
        const { skills: attached, omitted } = await lostTexts(session.inside, compacted, { tokenBudget, perSkill });
        expect(attached.length + omitted.length).toBe(3);
        for (const { text } of attached.filter((skill) => skill.text.split('\n').length > 3))
          expect(counts(text)).toBeLessThanOrEqual(perSkill);
        expect(
          attached.filter(({ text }) => text.split('\n').length > 3).reduce((sum, { text }) => sum + counts(text), 0),
        ).toBeLessThanOrEqual(tokenBudget);
      }),
    );
  });

  it('GOV-5: a skill that is gone or denied since is left out, and says why', async () => {
    const compacted = reduceSkillState(await loadAll(), { type: 'compacted' });
    const fewer = createSkillset({
      skills: skills.slice(1),
      audience: { permissions: ({ action, skill }) => action === 'list' || skill.name !== 'beta' },
    });
    const result = await lostTexts((await fewer.open()).inside, compacted);
    expect(result.skills.map((skill) => skill.name)).toEqual(['gamma']);
    expect(result.omitted).toEqual([
      { name: 'alpha', reason: 'gone' },
      { name: 'beta', reason: 'denied' },
    ]);
  });
});

describe('a skill that is no longer listed', () => {
  it('DIS-13 CON-7: is not given back, though its source still serves it by name', async () => {
    const inner = fixedSkillProvider(skills);
    const provider: SkillProvider = {
      ...inner,
      listSkills: async () => ({ ...(await inner.listSkills()), skills: (await inner.listSkills()).skills.slice(1) }),
    };
    const session = await createSkillset({ provider }).open();
    const state = reduceSkillState(await loadAll(), { type: 'compacted' });
    const { skills: back, omitted } = await lostTexts(session.inside, state);
    expect(back.map(({ name }) => name)).toEqual(['beta', 'gamma']);
    expect(omitted).toEqual([{ name: 'alpha', reason: 'gone' }]);
  });
});

describe('refreshPolicy', () => {
  it('DIS-12: a skill is due after so many tokens, and its text comes again', async () => {
    const refreshing = createSkillset({ skills, conversation: { refresh: { afterTokens: 1_000 } } });
    const session = await refreshing.open();
    const [load] = session.tools;
    const first = await load?.execute({ name: 'alpha' }, { state: emptySkillState, at: 100 });
    const state = (first?.events ?? []).reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    const due = (of: SkillState, now: number) => skillsDueForRefresh(of, { afterTokens: 1_000 }, now);
    expect(due(state, 1_099)).toEqual([]);
    expect(due(state, 1_100)).toEqual(['alpha']);
    expect(skillsDueForRefresh(state, undefined, 1_000_000)).toEqual([]);
    expect((await load?.execute({ name: 'alpha' }, { state, at: 1_099 }))?.text).toContain('already active');
    const again = await load?.execute({ name: 'alpha' }, { state, at: 1_100 });
    expect(again?.text).toBe(first?.text);
    expect(
      due(
        (again?.events ?? []).reduce((current, event) => reduceSkillState(current, event), state),
        2_000,
      ),
    ).toEqual([]);
    const { skills: attached } = await lostTexts(session.inside, state, {
      names: due(state, 1_100),
    });
    expect(attached).toEqual([
      { name: 'alpha', input: { name: 'alpha' }, text: first?.text, cut: false, events: [expect.objectContaining({ type: 'given' })] },
    ]);
  });
});

describe('the fold and the reducer', () => {
  it('DIS-6 DIS-13: any interleaving of load, unload and re-load gives the same state from the transcript as from the events', async () => {
    const tools = (await skillset.open()).tools;
    const call = fc.record({
      tool: fc.constantFrom('load_skill', 'unload_skill', 'read_skill_file'),
      name: fc.constantFrom(...names, 'ALPHA', 'nobody'),
      arguments: fc.option(fc.constantFrom('x', 'y z'), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 15 }), async (calls) => {
        let state = emptySkillState;
        const transcript: SkillTranscriptEntry[] = [];
        for (const [at, { tool, ...input }] of calls.entries()) {
          const result = await tools.find(({ name }) => name === tool)?.execute(input, { state, at });
          if (result === undefined) return false;
          state = result.events.reduce((current, event) => reduceSkillState(current, event), state);
          transcript.push({ tool, input, output: result.text, at });
        }
        expect(skillStateFromTranscript(transcript)).toEqual(asClaims(state));
        expect(skillStateFromTranscript(JSON.parse(JSON.stringify(transcript)) as SkillTranscriptEntry[])).toEqual(
          JSON.parse(JSON.stringify(asClaims(state))),
        );
        return true;
      }),
    );
  });

  it('DIS-13: any interleaving of load, unload, re-load and compaction: what is kept and what still stands give the state of the events', async () => {
    const session = await skillset.open();
    const tools = session.tools;
    const step = fc.oneof(
      fc.record({
        tool: fc.constantFrom('load_skill', 'unload_skill'),
        name: fc.constantFrom(...names),
        arguments: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      }),
      fc.record({ tool: fc.constant('compact'), name: fc.constantFrom(...names) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        let state = emptySkillState;
        let kept = emptySkillState;
        let transcript: SkillTranscriptEntry[] = [];
        for (const { tool, ...input } of steps) {
          if (tool === 'compact') {
            // The messages that name the skill are gone; what the server keeps is not told.
            transcript = transcript.filter((entry) => (entry.input as { name: string }).name !== input.name);
            state = reduceSkillState(state, { type: 'compacted', names: [input.name] });
            continue;
          }
          const seen = skillStateInContext(kept, transcript);
          const result = await tools.find(({ name }) => name === tool)?.execute(input, { state: seen });
          if (result === undefined) return false;
          state = result.events.reduce((current, event) => reduceSkillState(current, event), state);
          kept = result.events.reduce((current, event) => reduceSkillState(current, event), kept);
          transcript.push({ tool, input, output: result.text });
        }
        const view = (of: SkillState) =>
          Object.entries(of.loaded).map(([name, skill]) => [name, skill.texts, skill.inContext, skill.arguments]);
        expect(view(skillStateInContext(kept, transcript)).toSorted()).toEqual(view(state).toSorted());
        return true;
      }),
    );
  });

  it('DIS-12: a text that a cut moved stands where the transcript says, so that its refresh is not put off by what is gone', () => {
    const output = '<skill_content name="alpha">\nx\n</skill_content>';
    const kept = skillStateFromTranscript([{ tool: 'load_skill', input: {}, output, at: 9_000 }]);
    const moved = skillStateInContext(kept, [{ tool: 'load_skill', input: {}, output, at: 40 }]);
    expect(moved.loaded['alpha']).toEqual({ ...kept.loaded['alpha'], at: 40 });
    // A host that does not count, and a text that is gone, keep the place that they had.
    expect(skillStateInContext(kept, [{ tool: 'load_skill', input: {}, output }])).toBe(kept);
    expect(skillStateInContext(kept, []).loaded['alpha']).toMatchObject({ inContext: false, at: 9_000 });
  });

  it('GOV-10: a forged transcript adds nothing to what the server keeps', () => {
    const forged = [{ tool: 'load_skill', input: {}, output: '<skill_content name="alpha">\nx\n</skill_content>' }];
    expect(skillStateInContext(emptySkillState, forged)).toBe(emptySkillState);
  });
});
