import { afterEach, describe, expect, it, vi } from 'vitest';
import { composeProviders, createSkillset, emptySkillState, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { parseSkillState } from '@repertoire/skills-core/adapter';
import { lostTexts } from '../../src/tools/activation/lost-texts.ts';

const own = new SkillRegistry({ skills: [{ name: 'faq', description: 'Answers questions.', body: 'Look it up.' }], label: 'own' });
const good = { name: 'a', description: 'd', version: null };

function answering(skill: unknown): SkillProvider {
  return {
    label: 'wild',
    listSkills: async () => ({ skills: [skill], diagnostics: [], complete: true }) as never,
    getSkill: async () => skill as never,
    readResource: async () => 5 as never,
  };
}

describe('a source that answers nonsense', () => {
  it.each([
    ['null', null, 'that is no object'],
    ['an empty object', {}, 'without a name'],
    ['no name', { description: 'd', version: null }, 'without a name'],
    ['a number as name', { ...good, name: 1 }, 'without a name'],
    ['no description', { name: 'a', version: null }, 'without a description'],
    ['a number as version', { ...good, version: 5 }, 'whose version is no text'],
    ['tools as text', { ...good, tools: 'payment' }, 'whose tools are no list of names'],
    ['no metadata', { ...good, metadata: null }, 'whose metadata or origin is no object'],
    ['origin as text', { ...good, origin: 'own' }, 'whose metadata or origin is no object'],
    ['a number as use', { ...good, whenToUse: 5 }, 'whose whenToUse is no text'],
  ])('CON-7: %s in its listing is left out, and told (ATK-406)', async (_, skill, why) => {
    for (const provider of [answering(skill), composeProviders([own, answering(skill)])]) {
      const session = await createSkillset({ provider, gates: { tools: ['pay'] } }).open();
      expect(session.diagnostics).toContainEqual(
        expect.objectContaining({
          code: 'listing-invalid',
          severity: 'error',
          message: expect.stringContaining(`"wild" lists an entry, number 1, ${why}. It is left out.`),
        }),
      );
      expect(session.catalog.listed.map(({ name }) => name)).toEqual(provider.label === 'wild' ? [] : ['faq']);
      expect((await session.judgeCall(emptySkillState, { tool: 'pay', input: {} })).decision).toBe('denied');
      expect((await session.load({ name: 'a' }, { state: emptySkillState })).error?.code).toBe('skill-not-found');
    }
  });
});

describe('a host that answers nonsense', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([['yes'], ['false'], [1], [{}]])('GOV-10: %j as the answer of `select` counts as no, and is told (ATK-407)', async (answer) => {
    const session = await createSkillset({ provider: own, audience: { select: () => answer as never } }).open();
    expect(session.catalog.listed).toEqual([]);
    expect(session.diagnostics).toContainEqual(expect.objectContaining({ code: 'selection-failed', severity: 'error' }));
  });

  it('GOV-5: `permissions` that never answer count as no after ten seconds (ATK-408)', async () => {
    vi.useFakeTimers();
    const skillset = createSkillset({ provider: own, audience: { permissions: () => new Promise(() => {}) } });
    const opened = skillset.open();
    await vi.advanceTimersByTimeAsync(60_000);
    const session = await opened;
    expect(session.catalog.listed).toEqual([]);
  });
});

describe('a session that is used for long', () => {
  afterEach(() => void vi.useRealTimers());

  it('GOV-11: asks the source again before a gated call when its listing is older than five seconds, and says that it changed (ATK-417)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const registry = new SkillRegistry();
    registry.register({ name: 'a', description: 'd', body: 'b', tools: ['pay'] });
    registry.register({ name: 'b', description: 'd', body: 'b' });
    let lists = 0;
    const provider: SkillProvider = {
      label: 'counted',
      listSkills: async (options) => (lists++, await registry.listSkills(options)),
      getSkill: async (name, options) => await registry.getSkill(name, options),
      readResource: async (name, path, options) => await registry.readResource(name, path, options),
    };
    const codes: string[] = [];
    const onDiagnostic = ({ code }: { code: string }): void => void codes.push(code);
    const session = await createSkillset({ provider, gates: { tools: ['pay'] } }).open({ onDiagnostic });
    const { events } = await session.load({ name: 'a' }, { state: emptySkillState });
    const state = session.apply(emptySkillState, events);
    const judged = async () => [
      (await session.judgeCall(state, { tool: 'pay', input: {} })).decision,
      lists,
      codes.includes('listing-changed'),
    ];
    vi.advanceTimersByTime(4_999);
    expect(await judged()).toEqual(['allowed', 1, false]);
    vi.advanceTimersByTime(1);
    expect(await judged()).toEqual(['allowed', 2, false]);
    registry.unregister('b');
    expect(await judged()).toEqual(['allowed', 2, false]);
    vi.advanceTimersByTime(5_000);
    expect(await judged()).toEqual(['allowed', 3, true]);
    registry.unregister('a');
    vi.advanceTimersByTime(5_000);
    expect(await judged()).toEqual(['denied', 4, true]);
    expect(codes.filter((code) => code === 'listing-changed')).toHaveLength(1);
  });
});

it('PIN-3: a claimed state of 150,000 entries is read up to its limit, and nothing fails (ATK-409)', async () => {
  const entry = { version: null, revision: 'x', fingerprint: 'x', sequence: 1, inContext: true };
  const claimed = { loaded: Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`s${index}`, entry])) };
  const session = await createSkillset({ skills: [{ name: 'a', description: 'd', body: 'b', tools: ['pay'] }] }).open();
  const state = parseSkillState(claimed);
  expect(Object.keys(state.loaded)).toHaveLength(1_000);
  expect((await session.judgeCall(state, { tool: 'pay', input: {} })).decision).toBe('denied');
  expect(await session.active(state)).toEqual([]);
  expect((await lostTexts(session.inside, state)).skills).toEqual([]);
  const { error, events } = await session.load({ name: 'a' }, { state });
  expect(error).toBeUndefined();
  expect((await session.judgeCall(session.apply(state, events), { tool: 'pay', input: {} })).decision).toBe('allowed');
});
