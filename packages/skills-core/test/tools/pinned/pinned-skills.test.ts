import {
  composeProviders,
  createSkillset,
  emptySkillState,
  SkillError,
  SkillRegistry,
  type SkillProvider,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { assertInForce } from '@repertoire/skills-core/internal';
import { loadedSkill, restoreSkills } from '@repertoire/skills-core/adapter';
import { describe, expect, it } from 'vitest';
import { definition, library, processOf } from '../../helpers/pinned-desk.ts';
import { foldEvents, stateAfter } from '../../helpers/loaded-state.ts';

const inPrompt: Partial<SkillsetOptions> = { surface: { mode: 'system-prompt', instructions: 'with-catalog' } };

const again = 'Skill "refunds" changed since it was loaded. Load it again with load_skill.';

describe('what is told of a change', () => {
  it('PIN-4: one sentence to the model and one event to the host, with the files that differ', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider);
    const session = await desk.open();
    const state = await stateAfter(session, 'refunds');
    const from = loadedSkill(state, 'refunds')?.content;
    replace(definition({ resources: { 'guide.md': 'Second guide.', 'more.md': 'More.' } }));
    const answer = await desk.read(state);
    expect(answer?.text).toBe(`Error (skill-changed): ${again}`);
    const to = (await provider.getSkill('refunds'))?.content;
    expect(desk.events.filter(({ type }) => type === 'skill_changed')).toEqual([
      {
        type: 'skill_changed',
        skill: 'refunds',
        version: null,
        source: 'desk',
        trusted: true,
        reason: 'content',
        from,
        to,
        files: { added: ['more.md'], removed: [], changed: ['guide.md'] },
      },
    ]);
    // The state remembers that it was seen, also after the old content is back.
    const closed = foldEvents(answer?.events ?? [], state);
    expect(loadedSkill(closed, 'refunds')?.changed).toBe(true);
    replace(definition());
    expect([await desk.pay(state), await desk.pay(closed)]).toEqual(['allowed', 'denied']);
  });

  it('PIN-4, PIN-1: a skill that is gone is not given from memory, and says so', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider);
    const state = await stateAfter(await desk.open(), 'refunds');
    replace(definition({ name: 'other' }));
    expect((await desk.read(state))?.text).toContain('Skill "refunds" is no longer available from its source.');
    expect(await desk.restore(foldEvents([{ type: 'compacted' }], state))).toEqual([
      expect.stringContaining('is no longer available from its source'),
    ]);
    expect(desk.events).toContainEqual(expect.objectContaining({ type: 'skill_changed', reason: 'gone', to: null, files: null }));
  });

  it('PIN-4, DIS-11: where instructions stand in the system prompt, the sentence of one that is gone does', async () => {
    const { provider, replace } = library(definition());
    const desk = processOf(provider, inPrompt);
    const first = await desk.open();
    const state = await stateAfter(first, 'refunds');
    const load = first.tools.find(({ name }) => name === 'load_skill');
    const output = (await load?.execute({ name: 'refunds' }, { state: emptySkillState }))?.text ?? '';
    replace(definition({ name: 'other' }));
    const session = await desk.open();
    expect(await session.activeInstructions(state)).toContain('Skill "refunds" is no longer available from its source.');
    // It stands there alone, also when the conversation was cut.
    expect(await desk.restore(foldEvents([{ type: 'compacted' }], state))).toEqual([]);
    // A text of the conversation puts no name there.
    const claim = session.state([{ tool: 'load_skill', input: { name: 'refunds' }, output }]);
    expect(loadedSkill(claim, 'refunds')).toBeDefined();
    expect(await session.activeInstructions(claim)).toBe('');
  });

  it('PIN-1, DIS-11: instructions in the system prompt outlive an outage where they are remembered, and else say so', async () => {
    const inner = new SkillRegistry({ skills: [definition()], label: 'desk' });
    let isAway = false;
    const away = () => new SkillError('source-unavailable', 'The desk does not answer.');
    // As a folder on a disk that is not mounted: it lists what it can, and says that this is not
    // all.
    const provider: SkillProvider = {
      label: 'desk',
      listSkills: async () => (isAway ? { skills: [], diagnostics: [], complete: false } : await inner.listSkills()),
      getSkill: async (...given) => (isAway ? Promise.reject(away()) : await inner.getSkill(...given)),
      readResource: async (...given) => (isAway ? Promise.reject(away()) : await inner.readResource(...given)),
    };
    const [before, restarted] = [processOf(provider, inPrompt), processOf(provider, inPrompt)];
    const state = await stateAfter(await before.open(), 'refunds');
    const read = async (desk: typeof before) => (await desk.open()).activeInstructions(state);
    expect(await read(restarted)).toContain('First body.');
    isAway = true;
    expect(await read(before)).toContain('First body.');
    const fresh = processOf(provider, inPrompt);
    expect(await read(fresh)).toBe('The instructions of the loaded skill "refunds" cannot be read now. Go on without them.');
    expect(fresh.codes).toContain('skill-not-restored');
    isAway = false;
    expect(await read(fresh)).toContain('First body.');
  });

  it('PIN-1: a process that never loaded it reads what was loaded, if the source still has that', async () => {
    const { provider, replace } = library(definition());
    const state = await stateAfter(await processOf(provider).open(), 'refunds');
    const old = new SkillRegistry({ skills: [definition()], label: 'desk' });
    replace(definition({ resources: { 'guide.md': 'Second guide.' } }));
    expect((await processOf(provider).read(state))?.error?.code).toBe('skill-changed');
    const { content, resources } = (await old.getSkill('refunds')) ?? {};
    const guide = resources?.find(({ path }) => path === 'guide.md');
    const keeping: SkillProvider = {
      ...provider,
      getSkill: (name, options) => (options?.content === content ? old : provider).getSkill(name, options),
      readResource: (name, path, options) => (options?.digest === guide?.digest ? old : provider).readResource(name, path, options),
    };
    expect((await processOf(keeping).read(state))?.text).toContain('First guide.');
  });

  it('PIN-2: a call that is given up while its skill is compared ends with that', async () => {
    const { provider } = library(definition());
    const state = await stateAfter(await processOf(provider).open(), 'refunds');
    const controller = new AbortController();
    const slow: SkillProvider = {
      ...provider,
      contentOf: async (name, options) => {
        controller.abort(new Error('The user left.'));
        options?.signal?.throwIfAborted();
        return await provider.contentOf?.(name, options);
      },
    };
    const session = await processOf(slow).open();
    const { host } = session.inside;
    const use = await host.doors.inUse('refunds', { state });
    await expect(assertInForce(host, use, { state, signal: controller.signal })).rejects.toThrow('The user left.');
  });

  it('PIN-2, PIN-4: another trust closes it, and says that it is that', async () => {
    const [before, after] = [processOf(library(definition()).provider), processOf(library(definition(), false).provider)];
    const state = await stateAfter(await before.open(), 'refunds');
    expect([await before.pay(state), await after.pay(state)]).toEqual(['allowed', 'denied']);
    expect((await after.read(state))?.text).toContain('skill-changed');
    expect(after.events).toContainEqual(expect.objectContaining({ type: 'skill_changed', reason: 'trust' }));
    const verdict = await (await after.open()).active(state);
    expect(verdict).toEqual([]);
  });

  it('PIN-2: another level 1 closes it, though the files are the same', async () => {
    const content = (await library(definition()).provider.getSkill('refunds'))?.content;
    const { provider, replace } = library(definition());
    // A source may say of level 1 what is in no file.
    const same: SkillProvider = { ...provider, contentOf: async () => content };
    const desk = processOf(same);
    const state = await stateAfter(await desk.open(), 'refunds');
    expect(await desk.pay(state)).toBe('allowed');
    replace(definition({ tools: ['pay', 'refund_all'] }));
    expect(await desk.pay(state)).toBe('denied');
  });

  it('PIN-2: a session judges by what it loaded, though its listing is older', async () => {
    const { provider, replace } = library(definition());
    const session = await processOf(provider).open();
    replace(definition({ description: 'Gives all money back.', body: 'Second body.' }));
    const state = await stateAfter(session, 'refunds');
    expect((await session.judgeCall(state, { tool: 'pay' })).decision).toBe('allowed');
  });

  it('PIN-2: a load without trust opens nothing, also where a trusted skill of its name appears beside it', async () => {
    const own = library(definition({ name: 'other', tools: [] }));
    const market = new SkillRegistry({ skills: [definition()], label: 'market', trusted: false });
    const desk = processOf(composeProviders([own.provider, market], { onCollision: 'rename' }));
    const state = await stateAfter(await desk.open(), 'refunds');
    own.replace(definition());
    const session = await desk.open();
    expect(session.catalog.listed.map(({ name }) => name)).toEqual(['market:refunds', 'refunds']);
    expect([loadedSkill(state, 'refunds')?.source, await desk.pay(state)]).toEqual(['market', 'denied']);
    // Its identity has another name now, so a claim under the old one reads nothing.
    expect((await desk.read(state))?.text).toContain('Error (skill-changed)');
  });

  it('PIN-1: resource_read says whether the bytes are pinned', async () => {
    const { provider } = library(definition());
    const desk = processOf(provider);
    await desk.read({ loaded: {} });
    await desk.read(await stateAfter(await desk.open(), 'refunds'));
    expect(desk.events.flatMap((event) => (event.type === 'resource_read' ? [event.pinned] : []))).toEqual([false, true]);
    const open = processOf(library(definition({ body: async () => 'Made.' })).provider);
    const state = await stateAfter(await open.open(), 'refunds');
    await open.read(state);
    expect([loadedSkill(state, 'refunds')?.content, open.codes.includes('skill-unpinned'), await open.pay(state)]).toEqual([
      null,
      true,
      'allowed',
    ]);
    expect(open.events.flatMap((event) => (event.type === 'resource_read' ? [event.pinned] : []))).toEqual([false]);
  });

  it('PIN-1: a host is told that an unpinned skill gets no grants only where that is so', async () => {
    const fixOf = async (isTrusted: boolean) => {
      const { codes, fixes, open } = processOf(library(definition({ body: async () => 'Made.' }), isTrusted).provider);
      await stateAfter(await open(), 'refunds');
      return fixes[codes.indexOf('skill-unpinned')];
    };
    expect(await fixOf(true)).toMatch(/^Let the source give a digest/);
    expect(await fixOf(false)).toMatch(/^It gets no grants\. Let the source give a digest/);
  });
});

describe('contents', () => {
  const lost = (state: SkillState): SkillState => foldEvents([{ type: 'compacted' }], state);

  it('PIN-5: what was loaded is restored after an edit by another process too, where the host stores it', async () => {
    const store = new Map<string, string>();
    const contents = { get: (key: string) => store.get(key), set: (key: string, value: string) => void store.set(key, value) };
    const { provider, replace } = library(definition());
    const state = lost(await stateAfter(await processOf(provider, { conversation: { contentStore: contents } }).open(), 'refunds'));
    expect([...store.keys()]).toEqual([loadedSkill(state, 'refunds')?.revision]);
    replace(definition({ body: 'Second body.' }));
    const other = processOf(provider, { conversation: { contentStore: contents } });
    expect(await other.restore(state)).toEqual([expect.stringContaining('First body.')]);
    expect(await other.pay(state)).toBe('denied');
    // Without the store, another process does not have it.
    const bare = processOf(provider);
    expect(await bare.restore(state)).toEqual([again]);
    expect(bare.events).toContainEqual(expect.objectContaining({ type: 'skill_changed', reason: 'content', files: null }));
  });

  it.each([
    ['another skill', (value: string) => value.replace('desk', 'elsewhere')],
    ['another content', (value: string) => value.replace(/"content":"[0-9a-f]{64}"/, `"content":"${'0'.repeat(64)}"`)],
    ['no JSON', () => '{'],
    ['nothing', () => null],
  ])('PIN-5: a store that answers with %s is not believed', async (_what, wrong) => {
    const store = new Map<string, string>();
    const { provider, replace } = library(definition());
    const state = lost(
      await stateAfter(
        await processOf(provider, {
          conversation: { contentStore: { get: () => undefined, set: (key, value) => void store.set(key, value) } },
        }).open(),
        'refunds',
      ),
    );
    const stored = store.get(loadedSkill(state, 'refunds')?.revision ?? '') ?? '';
    expect(wrong(stored)).not.toBe(stored);
    const other = processOf(provider, { conversation: { contentStore: { get: () => wrong(stored), set: () => undefined } } });
    expect(await other.restore(state)).toEqual([expect.stringContaining('First body.')]);
    expect(other.codes.includes('content-store-failed')).toBe(wrong(stored) !== null);
    replace(definition({ body: 'Second body.' }));
    expect(
      await processOf(provider, { conversation: { contentStore: { get: () => wrong(stored), set: () => undefined } } }).restore(state),
    ).toEqual([again]);
  });

  it('PIN-5: a store that fails costs a read of the source and no load', async () => {
    const contents = {
      get: () => Promise.reject(new Error('The disk is full.')),
      set: () => Promise.reject(new Error('The disk is full.')),
    };
    const { provider } = library(definition());
    const first = processOf(provider, { conversation: { contentStore: contents } });
    const state = lost(await stateAfter(await first.open(), 'refunds'));
    expect(first.codes).toContain('content-store-failed');
    const second = processOf(provider, { conversation: { contentStore: contents } });
    expect(await second.restore(state)).toEqual([expect.stringContaining('First body.')]);
    expect(second.codes).toContain('content-store-failed');
  });

  it('PIN-1, GOV-10: what another conversation loaded is given to nobody who may not have it, nor for a claim (ATK-202)', async () => {
    const { provider, replace } = library(definition());
    const skillset = createSkillset<{ readonly may: boolean }>({
      provider,
      audience: { select: (_skill, { may }) => may },
    });
    const allowed = await skillset.open({ context: { may: true } });
    const state = lost(await stateAfter(allowed, 'refunds'));
    const put = async (may: boolean, kept: SkillState) =>
      (await restoreSkills(await skillset.open({ context: { may } }), [{ role: 'user', entries: [] }], { state: kept }))
        .map(({ text }) => text)
        .join('\n');
    replace(definition({ body: 'Second body.' }));
    expect(await put(true, state)).toContain('First body.');
    expect(await put(false, state)).not.toMatch(/First body|Second body/);
    // A claim, as it is read from a text, has no place and no content.
    const { place: _place, content: _content, ...claim } = loadedSkill(state, 'refunds') ?? ({} as never);
    expect(await put(true, { loaded: { refunds: claim } })).toBe(again);
  });
});
