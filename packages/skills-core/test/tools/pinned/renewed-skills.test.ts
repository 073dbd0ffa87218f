import { emptySkillState, SkillError, type SkillProvider, type SkillState } from '@repertoire/skills-core';
import { loadedSkill, parseSkillState, renewSkills } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';
import { definition, library, processOf } from '../../helpers/pinned-desk.ts';
import { foldEvents, stateAfter } from '../../helpers/loaded-state.ts';

describe("contentChange: 'renew'", () => {
  const renewing = { conversation: { contentChange: 'renew' } } as const;
  const renew = async (desk: ReturnType<typeof processOf>, state: SkillState) => {
    const renewed = await renewSkills(await desk.open(), state);
    return {
      renewed,
      state: foldEvents(
        renewed.flatMap(({ events }) => events),
        state,
      ),
    };
  };

  it('PIN-5: loads the new content by itself, and the gate opens again', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider, renewing);
    const before = await stateAfter(await desk.open(), 'refunds');
    expect((await renew(desk, before)).renewed).toEqual([]);
    replace(definition({ body: 'Second body.' }));
    expect(await desk.pay(before)).toBe('denied');
    const { renewed, state } = await renew(desk, before);
    expect(renewed).toEqual([
      expect.objectContaining({ name: 'refunds', cut: false, text: expect.stringContaining('Second body.') as string }),
    ]);
    expect([await desk.pay(state), loadedSkill(state, 'refunds')?.renewals]).toEqual(['allowed', 1]);
    expect(desk.events.filter(({ type }) => type === 'skill_renewed')).toHaveLength(1);
    // If only files change, it is one line.
    replace(definition({ body: 'Second body.', resources: { 'guide.md': 'Other.' } }));
    expect((await renew(desk, state)).renewed.map(({ text }) => text)).toEqual([
      expect.stringContaining('Its files changed; its instructions above did not.'),
    ]);
    // The default renews nothing.
    const closing = processOf(provider);
    expect([(await closing.open()).renewsChanged, (await renew(closing, before)).renewed]).toEqual([false, []]);
  });

  it('PIN-5: at most three times for a skill in a conversation; then it stays closed until the model loads it', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider, renewing);
    let state = await stateAfter(await desk.open(), 'refunds');
    const counts: number[] = [];
    for (const edit of [1, 2, 3, 4, 5]) {
      replace(definition({ body: `Edit ${edit}.` }));
      const after = await renew(desk, state);
      counts.push(after.renewed.length);
      state = after.state;
    }
    expect([counts, await desk.pay(state)]).toEqual([[1, 1, 1, 0, 0], 'denied']);
    const session = await desk.open();
    expect(await desk.pay(foldEvents((await session.load({ name: 'refunds' }, { state })).events, state))).toBe('allowed');
  });

  it('PIN-5: says that nobody counts, where loads stand in the messages alone', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider, renewing);
    const session = await desk.open();
    const { text } = await session.load({ name: 'refunds' }, { state: emptySkillState });
    const state = session.state([{ tool: 'load_skill', input: { name: 'refunds' }, output: text }]);
    const before = await stateAfter(session, 'refunds');
    replace(definition({ body: 'Second body.' }));
    expect((await renew(desk, state)).renewed).toHaveLength(1);
    expect(desk.codes).toContain('renewal-not-saved');
    expect(desk.fixes).toContain('Give the adapter a state, which counts and keeps renewals.');
    const keeping = processOf(provider, renewing);
    expect((await renew(keeping, before)).renewed).toHaveLength(1);
    expect(keeping.codes).not.toContain('renewal-not-saved');
  });

  it('PIN-5: leaves a skill closed that cannot be loaded again, and says so', async () => {
    const { provider, replace } = library(definition());
    let failure: Error | undefined;
    const failing: SkillProvider = {
      ...provider,
      getSkill: async (...given) => {
        if (failure !== undefined) throw failure;
        return await provider.getSkill(...given);
      },
    };
    const desk = processOf(failing, renewing);
    const state = await stateAfter(await desk.open(), 'refunds');
    replace(definition({ body: 'Second body.' }));
    failure = new SkillError('source-unavailable', 'The store is down.');
    expect([(await renew(desk, state)).renewed, desk.codes.filter((code) => code === 'skill-not-renewed')]).toEqual([
      [],
      ['skill-not-renewed'],
    ]);
    failure = undefined;
    expect((await renew(desk, state)).renewed).toHaveLength(1);
  });

  it('PIN-5: never without trust, nor for one that is gone', async () => {
    const untrusted = library(definition(), false);
    const market = processOf(untrusted.provider, renewing);
    const state = await stateAfter(await market.open(), 'refunds');
    untrusted.replace(definition({ body: 'Second body.' }));
    expect((await renew(market, state)).renewed).toEqual([]);
    // Trust that came later is no reason either.
    const trusted = processOf(library(definition({ body: 'Second body.' })).provider, renewing);
    expect((await renew(trusted, state)).renewed).toEqual([]);
    const { provider, replace } = library(definition());
    const desk = processOf(provider, renewing);
    const loaded = await stateAfter(await desk.open(), 'refunds');
    replace(definition({ name: 'other' }));
    expect((await renew(desk, loaded)).renewed).toEqual([]);
  });

  it('PIN-3, PIN-5: a state of an earlier version counts as loaded and closed, and is renewed', async () => {
    const older = parseSkillState({
      loaded: {
        refunds: { version: null, revision: '0123456789abcdef0123456789abcdef', fingerprint: '01234567', sequence: 1, inContext: true },
      },
    });
    const desk = processOf(library(definition()).provider, renewing);
    expect([Object.keys(older.loaded), await desk.pay(older)]).toEqual([['refunds'], 'denied']);
    const { renewed, state } = await renew(desk, older);
    expect(renewed.map(({ text }) => text)).toEqual([expect.stringContaining('First body.')]);
    expect(await desk.pay(state)).toBe('allowed');
    // The same after a process that read it has saved it.
    const saved = parseSkillState({
      loaded: { refunds: { source: '', version: null, revision: '', texts: [], sequence: 1, inContext: true } },
    });
    expect((await desk.read(saved))?.error?.code).toBe('skill-changed');
    expect(desk.events.findLast(({ type }) => type === 'skill_changed')).toMatchObject({ reason: 'older-state' });
    expect((await renew(desk, saved)).renewed).toHaveLength(1);
    expect(desk.codes).not.toContain('renewal-not-saved');
  });
});
