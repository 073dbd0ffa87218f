import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, type SkillDefinition, type SkillEvent, skillAllowedTools } from '@repertoire/skills-core';
import { loadedSkillNames, reduceSkillState, skillStateFromTranscript, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
import { asClaims, claimed } from '../helpers/loaded-state.ts';

const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `${name}.`,
  body: `Body of ${name}.`,
  ...more,
});
const skills = [make('a', { tools: ['tool_a'], model: 'small' }), make('b', { tools: ['tool_b'] }), make('c', { allowedTools: ['Read'] })];

async function conversation(activation: 'single' | 'cumulative' | undefined, ...names: readonly string[]) {
  const session = await createSkillset({
    skills,
    conversation: { activation },
    allowedTools: skillAllowedTools({ policy: 'restrict' }),
  }).open();
  const transcript: SkillTranscriptEntry[] = [];
  let state = emptySkillState;
  for (const name of names) {
    const result = await session.tools[0]!.execute({ name }, { state });
    state = session.apply(state, result.events);
    transcript.push({ tool: 'load_skill', input: { name }, output: result.text });
  }
  return { session, transcript, state };
}

describe('activation', () => {
  it('GOV-13: single ends what was loaded before, with its tools, model and allowed tools', async () => {
    const { session, state } = await conversation('single', 'a', 'b');
    expect(loadedSkillNames(state)).toEqual(['b']);
    expect(await session.model(state)).toBeUndefined();
    expect((await session.judgeCall(state, { tool: 'tool_a' })).decision).toBe('denied');
    expect((await session.judgeCall(state, { tool: 'tool_b' })).decision).toBe('allowed');
    const last = await conversation('single', 'c', 'a');
    expect((await last.session.judgeCall(last.state, { tool: 'Write' })).decision).toBe('allowed');
    expect(await last.session.active(last.state)).toMatchObject([{ name: 'a' }]);
  });

  it('GOV-13: cumulative, which is the default, leaves the others loaded', async () => {
    for (const activation of ['cumulative', undefined] as const) {
      const { session, state } = await conversation(activation, 'a', 'b', 'c');
      expect(loadedSkillNames(state)).toEqual(['a', 'b', 'c']);
      expect(await session.model(state)).toBe('small');
      expect((await session.judgeCall(state, { tool: 'Write' })).decision).toBe('denied');
    }
  });

  it('GOV-13: the fold over a transcript says the same as the events, also where a skill comes back', async () => {
    const { session, transcript, state } = await conversation('single', 'a', 'b', 'a', 'c', 'b');
    expect(session.state(transcript)).toEqual(asClaims(state));
    expect(loadedSkillNames(state)).toEqual(['b']);
    // In full: what another skill ended stands no longer.
    expect(transcript[2]?.output).toContain('Body of a.');
  });

  it('GOV-13: loading what is loaded is no news, and an unload leaves nothing', () => {
    const one = reduceSkillState(emptySkillState, claimed('a'), 'single');
    expect(reduceSkillState(one, claimed('a'), 'single')).toBe(one);
    const two = reduceSkillState(one, claimed('b'), 'single');
    expect(two.loaded).toEqual({ b: expect.objectContaining({ sequence: 2 }) as object });
    expect(reduceSkillState(two, { type: 'unloaded', name: 'b' }, 'single')).toEqual(emptySkillState);
  });

  it('GOV-13: one transcript read by either rule', () => {
    const load = (name: string) => ({
      tool: 'load_skill',
      input: {},
      output: `<skill_content name="${name}" revision="0">\nx\n</skill_content>`,
    });
    const transcript = [load('a'), load('b')];
    expect(loadedSkillNames(skillStateFromTranscript(transcript))).toEqual(['a', 'b']);
    expect(loadedSkillNames(skillStateFromTranscript(transcript, { activation: 'single' }))).toEqual(['b']);
  });

  it('GOV-13: of skills that one step loads, the last by name stays, in whichever order the calls end', () => {
    const load = (name: string): SkillEvent => ({ type: 'loaded', name, revision: '1', texts: ['1'], at: 7 });
    const before = reduceSkillState(emptySkillState, claimed('x'), 'single');
    for (const names of [
      ['b', 'c'],
      ['c', 'b'],
    ]) {
      const state = names.reduce((now, name) => reduceSkillState(now, load(name), 'single'), before);
      expect(loadedSkillNames(state)).toEqual(['c']);
    }
  });

  it('GOV-13: what a store merged of parallel calls is settled when it is read', async () => {
    const { session } = await conversation('single', 'a');
    const loads = ['b', 'a'].map((name) => session.tools[0]!.execute({ name }, { state: emptySkillState, at: 7 }));
    const events = (await Promise.all(loads)).flatMap((result) => result.events);
    const merged = events.reduce((now, event) => reduceSkillState(now, event), emptySkillState);
    expect(loadedSkillNames(merged)).toEqual(['a', 'b']);
    expect(loadedSkillNames(session.state([], merged))).toEqual(['b']);
    expect((await session.judgeCall(merged, { tool: 'tool_a' })).decision).toBe('denied');
    expect(await session.active(merged)).toMatchObject([{ name: 'b' }]);
  });
});
