import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillDefinition,
  type SkillProvider,
  type SkillSession,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { loadedSkill, loadedSkillNames, type SkillTurn, restoreSkills } from '@repertoire/skills-core/adapter';
import { fixedSkillProvider, type RestoredSkill } from '@repertoire/skills-core/internal';
import { stateAfter } from '../../helpers/loaded-state.ts';

const names = ['alpha', 'beta', 'gamma'];
const skills: SkillDefinition[] = names.map((name) => ({
  name,
  description: `${name}.`,
  body: `Body of ${name}. ${'Words. '.repeat(20)}`,
}));
const open = (options: Partial<SkillsetOptions> = {}) =>
  createSkillset({ ...(options.provider === undefined && { skills }), countTokens: (text) => text.length, ...options }).open();

/**
 * The messages of a conversation: what a person says, what the model answers, calls and their
 * results.
 */
async function turnsOf(session: SkillSession, script: readonly (readonly [SkillTurn['role'], string?])[]): Promise<SkillTurn[]> {
  const turns: SkillTurn[] = [];
  for (const [role, name] of script) {
    const output = role === 'tool' && name !== undefined ? (await session.load({ name }, { state: emptySkillState })).text : '';
    const entries =
      output === '' ? [] : [{ tool: 'load_skill', input: { name }, output, at: turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0) }];
    turns.push({ role, entries, tokens: 100 + output.length });
  }
  return turns;
}

const places = (inserted: readonly RestoredSkill[]) => inserted.map(({ name, before }) => [name, before]);

describe('restore: what was cut', () => {
  it('DIS-13: comes before the first message of the model, in the order of loading, as a call and its result', async () => {
    const session = await open();
    const kept = await stateAfter(session, 'beta', 'alpha');
    const turns = await turnsOf(session, [['system'], ['user'], ['assistant'], ['user']]);
    const back = await restoreSkills(session, turns, { state: kept });
    expect(places(back)).toEqual([
      ['beta', 2],
      ['alpha', 2],
    ]);
    expect(back[0]).toMatchObject({ input: { name: 'beta' }, cut: false, toolCallId: expect.stringMatching(/^s[0-9A-Za-z]{8}$/) });
    expect(back[0]?.text).toBe((await session.load({ name: 'beta' }, { state: emptySkillState })).text);
    expect(new Set(back.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  it('DIS-13: stays at its place while the conversation grows, with the same id and bytes', async () => {
    const session = await open();
    const kept = await stateAfter(session, 'alpha');
    const script: [SkillTurn['role'], string?][] = [['user'], ['assistant'], ['user']];
    const first = await restoreSkills(session, await turnsOf(session, script), { state: kept });
    for (const more of [['assistant'], ['user'], ['assistant'], ['tool', 'beta'], ['assistant'], ['user']] as const) {
      script.push([...more]);
      expect(await restoreSkills(session, await turnsOf(session, script), { state: kept })).toEqual(first);
    }
    expect(places(first)).toEqual([['alpha', 1]]);
  });

  it('DIS-13: comes at the end where the model has not spoken yet, and nothing comes that stands there', async () => {
    const session = await open();
    const kept = await stateAfter(session, 'alpha', 'beta');
    expect(places(await restoreSkills(session, await turnsOf(session, [['system'], ['user']]), { state: kept }))).toEqual([
      ['alpha', 2],
      ['beta', 2],
    ]);
    const turns = await turnsOf(session, [['user'], ['assistant'], ['tool', 'beta'], ['assistant']]);
    expect(places(await restoreSkills(session, turns, { state: kept }))).toEqual([['alpha', 1]]);
    expect(await restoreSkills(session, turns)).toEqual([]);
    expect(await restoreSkills(session, [])).toEqual([]);
  });

  it('DIS-13: keeps to its budget, and reports what stays out', async () => {
    const told: string[] = [];
    const session = await open({ onDiagnostic: ({ code, skill }) => told.push(`${code} ${skill}`) });
    const kept = await stateAfter(session, ...names);
    const turns = await turnsOf(session, [['user']]);
    const back = await restoreSkills(session, turns, { state: kept, tokenBudget: 600, perSkill: 400 });
    expect(back.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(600);
    expect(back.map(({ name }) => name)).toContain('gamma');
    expect(told.filter((line) => line.startsWith('skill-not-restored'))).not.toEqual([]);
  });

  it('DIS-11: needs nothing for bodies that stand in the system prompt', async () => {
    const session = await open({
      surface: { instructions: 'with-catalog', mode: 'system-prompt' },
      conversation: { refresh: { afterTokens: 1 } },
    });
    const kept = await stateAfter(session, 'alpha');
    expect(await restoreSkills(session, await turnsOf(session, [['user'], ['assistant'], ['user']]), { state: kept })).toEqual([]);
    const mixed = await createSkillset({
      skills: [skills[0]!, { ...skills[1]!, surfaceMode: 'tool-only' }],
      surface: { instructions: 'with-catalog', mode: 'system-prompt' },
    }).open();
    expect(
      places(await restoreSkills(mixed, await turnsOf(mixed, [['user']]), { state: await stateAfter(mixed, 'alpha', 'beta') })),
    ).toEqual([['beta', 1]]);
  });

  it('GOV-5 CON-7: gives back nothing that is gone, not selected or denied now, or in another version than was loaded (ATK-100)', async () => {
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ ...skills[0]!, version, body: `Body ${version}` }));
    const all = await open({ skills: [...versions, skills[1]!] });
    const kept = await stateAfter(all, 'alpha', 'beta');
    const turns = await turnsOf(all, [['user']]);
    expect((await restoreSkills(all, turns, { state: kept })).map(({ name, input }) => [name, input.version])).toEqual([
      ['alpha', '2.0.0'],
      ['beta', undefined],
    ]);
    const without = await open({ skills: versions.slice(0, 1) });
    const notices = (await restoreSkills(without, turns, { state: kept })).map(({ text }) => text);
    expect(notices).toEqual(['alpha', 'beta'].map((name) => expect.stringContaining(`Skill "${name}" is no longer available`) as string));
    const deselected = await open({ skills: [...versions, skills[1]!], audience: { select: ({ version }) => version !== '2.0.0' } });
    expect((await restoreSkills(deselected, turns, { state: kept })).map(({ name, text }) => [name, text.includes('Body 2.0.0')])).toEqual([
      ['beta', false],
      ['alpha', false],
    ]);
    const denied = await open({
      skills: [...versions, skills[1]!],
      audience: { permissions: ({ action, skill }) => action === 'list' || skill.name !== 'beta' },
    });
    expect(places(await restoreSkills(denied, turns, { state: kept }))).toEqual([['alpha', 1]]);
  });
});

describe('restore: what is due', () => {
  const due = { conversation: { refresh: { afterTokens: 600 } } };
  const script: readonly (readonly [SkillTurn['role'], string?])[] = [
    ['user'],
    ['assistant'],
    ['tool', 'alpha'],
    ...Array.from({ length: 12 }, (_, index) => [index % 2 === 0 ? 'assistant' : 'user'] as const),
  ];

  it('DIS-12: comes behind the message at which it became due, and again when it is due again', async () => {
    const session = await open(due);
    expect(session.refreshes).toBe(true);
    const turns = await turnsOf(session, script);
    const back = await restoreSkills(session, turns);
    expect(back.length).toBeGreaterThan(1);
    for (const { before } of back) expect(turns[before - 1]?.role).toBe('user');
    expect(new Set(back.map(({ before }) => before)).size).toBe(back.length);
    expect(new Set(back.map(({ toolCallId }) => toolCallId)).size).toBe(back.length);
    expect((await open()).refreshes).toBe(false);
    expect(await restoreSkills(await open(), turns)).toEqual([]);
  });

  it('DIS-12: the prompt only grows: longer conversations have the same insertions first', async () => {
    const session = await open(due);
    const turns = await turnsOf(session, script);
    const whole = await restoreSkills(session, turns);
    for (let length = 0; length <= turns.length; length += 1) {
      const part = await restoreSkills(session, turns.slice(0, length));
      expect(part).toEqual(whole.slice(0, part.length));
      expect(await restoreSkills(session, turns.slice(0, length))).toEqual(part);
    }
  });

  it('DIS-12: never between a call and its result, wherever messages stand', async () => {
    const session = await open({ conversation: { refresh: { afterTokens: 150 } } });
    const outputs = new Map(
      await Promise.all(names.map(async (name) => [name, (await session.load({ name }, { state: emptySkillState })).text] as const)),
    );
    const step = fc.oneof(
      fc.constant([['user']] as const),
      fc.constant([['assistant']] as const),
      fc
        .record({ results: fc.array(fc.option(fc.constantFrom(...names), { nil: undefined }), { minLength: 1, maxLength: 3 }) })
        .map(({ results }) => [['assistant'], ...results.map((name) => ['tool', name] as const)] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), fc.boolean(), async (steps, isKept) => {
        const turns: SkillTurn[] = [{ role: 'system', entries: [], tokens: 50 }];
        for (const [role, name] of steps.flat() as readonly (readonly [SkillTurn['role'], string?])[]) {
          const output = name === undefined ? undefined : outputs.get(name);
          const at = turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
          turns.push({ role, tokens: 100, entries: output === undefined ? [] : [{ tool: 'load_skill', input: { name }, output, at }] });
        }
        const kept = isKept ? session.state(turns.flatMap(({ entries }) => entries)) : undefined;
        const back = await restoreSkills(session, turns, { state: kept });
        for (const { before } of back) {
          expect(before).toBeGreaterThan(0);
          expect(before).toBeLessThanOrEqual(turns.length);
          // The message behind it is no result, and the one before it made no call whose result is
          // missing.
          expect(turns[before]?.role).not.toBe('tool');
        }
        expect(await restoreSkills(session, turns, { state: kept })).toEqual(back);
      }),
      { seed: 12, numRuns: 150 },
    );
  });

  it('DIS-12: `on-load` repeats nothing by itself; a trusted skill’s own policy wins, an untrusted one’s is ignored', async () => {
    const turns = async (session: SkillSession) => await turnsOf(session, script);
    const onLoad = await open({ conversation: { refresh: { afterTokens: 1, via: 'on-load' } } });
    expect(await restoreSkills(onLoad, await turns(onLoad))).toEqual([]);
    const own = { ...skills[0]!, refreshPolicy: { afterTokens: 300 } };
    const session = await open({ skills: [own] });
    expect(session.refreshes).toBe(true);
    expect((await restoreSkills(session, await turns(session))).length).toBeGreaterThan(0);
    const untrusted = await open({ provider: new SkillRegistry({ skills: [own], trusted: false }) });
    expect([untrusted.refreshes, await restoreSkills(untrusted, await turns(untrusted))]).toEqual([false, []]);
  });

  it('DIS-12: what an earlier step of the same call put in is not put in twice', async () => {
    const session = await open(due);
    const turns = await turnsOf(session, script);
    const [first] = await restoreSkills(session, turns);
    const carried: SkillTurn[] = [
      ...turns.slice(0, first!.before),
      { role: 'assistant', entries: [], callIds: [first!.toolCallId], tokens: 10 },
      { role: 'tool', entries: [{ tool: 'load_skill', input: first!.input, output: first!.text, at: 0 }], tokens: first!.text.length },
    ];
    expect((await restoreSkills(session, carried)).map(({ toolCallId }) => toolCallId)).not.toContain(first!.toolCallId);
  });

  it('DIS-12: a source that fails now is not asked at each message, and breaks nothing', async () => {
    const inner = fixedSkillProvider(skills);
    let reads = 0;
    let down = false;
    const provider: SkillProvider = {
      ...inner,
      getSkill: (name, options) => {
        reads += 1;
        return down ? Promise.reject(new Error('down')) : inner.getSkill(name, options);
      },
    };
    const turns = await turnsOf(await open({ provider, ...due }), script);
    // Another process, which remembers nothing.
    const session = await open({ provider, ...due });
    down = true;
    reads = 0;
    expect(await restoreSkills(session, turns)).toEqual([]);
    expect(reads).toBe(1);
  });

  it('DIS-12 DIS-13: what was lost comes once at its place, and is due again by that place', async () => {
    const session = await open(due);
    const kept = await stateAfter(session, 'alpha');
    const talk = Array.from({ length: 16 }, (_, index) => [index % 2 === 0 ? 'user' : 'assistant'] as const);
    const short = await restoreSkills(session, await turnsOf(session, talk.slice(0, 4)), { state: kept });
    expect(places(short)).toEqual([['alpha', 1]]);
    const long = await restoreSkills(session, await turnsOf(session, talk), { state: kept });
    expect(long[0]).toEqual(short[0]);
    expect(long.length).toBeGreaterThan(1);
    expect(long.slice(1).every(({ name, before }) => name === 'alpha' && before > 4)).toBe(true);
    expect(loadedSkillNames(kept)).toEqual(['alpha']);
    expect(loadedSkill(kept, 'alpha')?.inContext).toBe(true);
  });

  it('DIS-12 DIS-13: skills that come back at one place are due again in that order', async () => {
    const session = await open(due);
    const kept = await stateAfter(session, 'alpha', 'beta');
    const talk = Array.from({ length: 40 }, (_, index) => [index % 2 === 0 ? 'user' : 'assistant'] as const);
    const [first, second, third, fourth] = places(await restoreSkills(session, await turnsOf(session, talk), { state: kept }));
    expect([first, second]).toEqual([
      ['alpha', 1],
      ['beta', 1],
    ]);
    // What came first is due first.
    expect([third?.[0], fourth?.[0]]).toEqual(['alpha', 'beta']);
  });
});
