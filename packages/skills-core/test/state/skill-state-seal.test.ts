import { createSkillset, emptySkillState, type SkillEvent } from '@repertoire/skills-core';
import {
  loadedSkillNames,
  parseSkillState,
  recordSkillEvents,
  reduceSkillState,
  skillStateSeal,
  type SkillStateBox,
} from '@repertoire/skills-core/adapter';
import type { LoadedSkill } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';
import { claimed, foldEvents, stateAfter } from '../helpers/loaded-state.ts';
import { oneFieldBroken } from '../../../../test/support/one-field-broken.ts';

const secret = 'a secret of thirty-two characters';
const seal = skillStateSeal(secret);
const state = foldEvents([claimed('billing', { version: '1.0.0', arguments: 'order 7' }), claimed('poems', { untrusted: true })]);
const entryOf = (value: Partial<LoadedSkill>) => ({ loaded: { billing: { ...state.loaded['billing'], ...value } } });

describe('skillStateSeal', () => {
  it('GOV-11: takes back what this host sealed, on another machine too, also after it went through JSON', async () => {
    const sealed = await seal.seal(state, 'thread 1');
    const back = await skillStateSeal(secret).open(JSON.parse(JSON.stringify(sealed)), 'thread 1');
    expect(back).toEqual(sealed);
    expect(back).toMatchObject(state);
  });

  it('GOV-11: takes nothing that was sealed for another scope or with another secret, or not at all (ATK-122)', async () => {
    const sealed = await seal.seal(state, 'thread 1');
    expect(await seal.open(sealed, 'thread 2')).toEqual(emptySkillState);
    expect(await skillStateSeal(secret.toUpperCase()).open(sealed, 'thread 1')).toEqual(emptySkillState);
    expect(await seal.open(state, 'thread 1')).toEqual(emptySkillState);
  });

  it.each<[string, Partial<LoadedSkill>]>([
    ['version', { version: '2.0.0' }],
    ['version, left out', { version: null }],
    ['revision', { revision: '1'.repeat(22) }],
    ['arguments', { arguments: 'order 8' }],
    ['trust', { untrusted: true }],
    ['source', { source: 'other' }],
    ['place', { place: 'other' }],
    ['content', { content: 'f'.repeat(64) }],
    ['texts', { texts: ['y'] }],
    ['rank', { sequence: 9 }],
    ['place in the context', { inContext: false }],
    ['cut', { cut: true }],
    ['length before it', { at: 1e9 }],
    ['change', { changed: true }],
    ['renewals', { renewals: 1 }],
  ])('GOV-11: covers the %s of an entry (ATK-333)', async (_what, change) => {
    const { loaded } = await seal.seal(state, 't');
    const { billing } = (await seal.seal(state, 't')).loaded;
    expect(loadedSkillNames(await seal.open({ loaded: { billing: { ...billing, ...change } } }, 't'))).toEqual([]);
    expect(loadedSkillNames(await seal.open({ loaded: { refunds: billing } }, 't'))).toEqual([]);
    expect(loadedSkillNames(await seal.open({ loaded }, 't'))).toEqual(['billing', 'poems']);
  });

  it('GOV-11: ends with any change of the entry, which has to be sealed again', async () => {
    const sealed = await seal.seal(state, 't');
    const compacted = reduceSkillState(sealed, { type: 'compacted', names: ['billing'] });
    expect(loadedSkillNames(await seal.open(compacted, 't'))).toEqual(['poems']);
    expect(loadedSkillNames(await seal.open(await seal.seal(compacted, 't'), 't'))).toEqual(['billing', 'poems']);
    const again = reduceSkillState(sealed, claimed('billing', { version: '2.0.0' }));
    expect(loadedSkillNames(await seal.open(again, 't'))).toEqual(['poems']);
  });

  it('GOV-11: a seal that is no seal is no error', async () => {
    for (const value of ['', 'x', '='.repeat(44), 7, null, {}]) {
      expect(await seal.open(entryOf({ seal: value as string }), 't')).toEqual(emptySkillState);
    }
    for (const value of [null, 7, 'loaded', [], { loaded: [] }, { loaded: { billing: null } }]) {
      expect(await seal.open(value, 't')).toEqual(emptySkillState);
    }
  });

  it('GOV-11: a secret that can be tried out is refused', () => {
    for (const short of ['short', 'x'.repeat(31)])
      expect(() => skillStateSeal(short)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => skillStateSeal('x'.repeat(32))).not.toThrow();
    expect(() => skillStateSeal(undefined as never)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });
});

describe('parseSkillState', () => {
  it('ADP-4: keeps the entries that are loaded skills, and leaves out the others', async () => {
    const session = await createSkillset({ skills: [{ name: 'haiku', description: 'Writes haiku.', body: 'Five.' }] }).open();
    const loaded = await stateAfter(session, 'haiku');
    expect(parseSkillState(JSON.parse(JSON.stringify(loaded)))).toEqual(loaded);
    expect(parseSkillState({ loaded: { a: null, b: 7, c: {}, ...loaded.loaded } })).toEqual(loaded);
    expect(parseSkillState('{"loaded":{}}')).toEqual(emptySkillState);
  });

  it('ADP-4: leaves out an entry of which any one field is of a wrong kind, and no other', () => {
    const optional = { place: 'p', content: 'c', arguments: 'a', at: 1, approval: 'b', renewals: 2 };
    const whole = { source: 's', version: '1', revision: 'r', texts: ['t'], sequence: 1, inContext: true, ...optional };
    const other = { ...whole, source: 'other' };
    const taken: string[] = [];
    for (const { place, given, value } of oneFieldBroken(whole)) {
      const { loaded } = parseSkillState({ loaded: { broken: value, other } });
      expect(loaded['other']).toEqual(other);
      if (loaded['broken'] === undefined) continue;
      expect(loaded['broken']).toEqual(value);
      taken.push(`${place} ${given}`);
    }
    const none = Object.keys(optional).map((field) => `${field} nothing`);
    expect(taken.toSorted()).toEqual([...none, 'content null', 'texts[0] nothing', 'version null'].toSorted());
  });
});

describe('recordSkillEvents', () => {
  const apply = (current: typeof state, events: readonly SkillEvent[]) => foldEvents(events, current);

  it('ADP-4: writes the state and appends the events; nothing without events or without a box', async () => {
    const appended: (readonly SkillEvent[])[] = [];
    const box: SkillStateBox = { current: emptySkillState, append: async (events) => void appended.push(events) };
    await recordSkillEvents(box, [], apply);
    await recordSkillEvents(undefined, [claimed('billing')], apply);
    expect([box.current, appended]).toEqual([emptySkillState, []]);
    await recordSkillEvents(box, [claimed('billing')], apply);
    expect([loadedSkillNames(box.current), appended]).toEqual([['billing'], [[claimed('billing')]]]);
  });

  it('ADP-4: rejects if the events cannot be appended, so that nobody believes that they were', async () => {
    const box: SkillStateBox = { current: emptySkillState, append: () => Promise.reject(new Error('database down')) };
    await expect(recordSkillEvents(box, [claimed('billing')], apply)).rejects.toThrow('database down');
  });
});
