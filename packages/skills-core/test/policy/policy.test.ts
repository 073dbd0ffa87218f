import { createHash } from 'node:crypto';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type OpenRequest,
  type SkillActivity,
  type SkillDefinition,
  type SkillSession,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import type { SkillPermissionRequest } from '../../src/policy/audience.ts';
import { reduceSkillState } from '@repertoire/skills-core/adapter';
import { missingTools } from '../../src/policy/missing-tools.ts';
import { claimed, foldEvents, stateAfter } from '../helpers/loaded-state.ts';
import { lostTexts } from '../../src/tools/activation/lost-texts.ts';

const sha256 = (text = '') => createHash('sha256').update(text).digest('hex');
const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `${name}.`,
  body: `Body of ${name}.`,
  ...more,
});
const stateOf = (...names: string[]) => foldEvents(names.map((name) => claimed(name)));

describe('permissions', () => {
  interface Request {
    readonly role: 'admin' | 'reader' | 'loader';
  }
  const asked: SkillPermissionRequest<Request>[] = [];
  const skillset = createSkillset<Request>({
    skills: [make('payroll', { resources: { 'a.md': 'A' } })],
    audience: {
      permissions: (request) => {
        asked.push(request);
        const { action, context } = request;
        if (context.role === 'admin') return true;
        if (action === 'list') return context.role === 'reader';
        return { allowed: context.role === 'loader' && action === 'load', reason: 'only people of finance' };
      },
    },
  });

  it('GOV-5: a role may list but not load', async () => {
    const session = await skillset.open({ context: { role: 'reader' } });
    expect(session.catalog.text).toContain('payroll');
    const [load, read] = session.tools;
    expect(await load?.execute({ name: 'payroll' }, { state: emptySkillState })).toMatchObject({
      error: { code: 'permission-denied' },
      text: 'Error (permission-denied): Skill "payroll" may not be loaded here: only people of finance. Go on without it, or ask the user.',
      events: [],
    });
    expect((await read?.execute({ skill: 'payroll', path: 'a.md' }, { state: emptySkillState }))?.text).toContain(
      '"a.md" of skill "payroll" may not be read here',
    );
    expect(asked.map((request) => request.action)).toEqual(['list', 'load', 'read']);
  });

  it('GOV-5: or load by name what it does not see, and still not read', async () => {
    const visible = make('welcome');
    const both = createSkillset<Request>({
      skills: [make('payroll', { resources: { 'a.md': 'A' } }), visible],
      audience: { permissions: ({ action, skill }) => skill.name === 'welcome' || action === 'load' },
    });
    const session = await both.open({ context: { role: 'loader' } });
    expect(session.catalog.text).not.toContain('payroll');
    const [load, read] = session.tools;
    expect((await load?.execute({ name: 'payroll' }, { state: emptySkillState }))?.text).toContain('Body of payroll.');
    expect((await load?.execute({ name: 'payrol' }, { state: emptySkillState }))?.text).not.toMatch(/payroll"|: payroll/);
    expect((await read?.execute({ skill: 'payroll', path: 'a.md' }, { state: emptySkillState }))?.error?.code).toBe('permission-denied');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('database down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('database down'))],
    ['forgets to answer', () => undefined as unknown as boolean],
    ['answers something else', () => 'yes' as unknown as boolean],
  ])('GOV-5: a hook that %s means no (ATK-99)', async (_, permissions) => {
    const closed = createSkillset({ skills: [make('a')], audience: { permissions } });
    const session = await closed.open();
    expect(session.catalog.text).toBe('');
    const result = await session.load({ name: 'a' }, { state: emptySkillState });
    expect(result.error?.code).toBe('skill-not-found');
    expect(result.text).not.toContain('database');
  });
});

describe('permissions and versions', () => {
  it('GOV-5 CON-8: the hook is asked of the version that would be given', async () => {
    const versions = [
      make('a', { version: '1.0.0', metadata: { level: 'open' } }),
      make('a', { version: '2.0.0', metadata: { level: 'secret' }, resources: { 'f.md': 'F' } }),
    ];
    const skillset = createSkillset({
      skills: versions,
      audience: { permissions: ({ action, skill }) => action === 'list' || skill.metadata?.['level'] === 'open' },
    });
    const session = await skillset.open();
    const [load, read] = session.tools;
    expect((await load?.execute({ name: 'a' }, { state: emptySkillState }))?.error?.code).toBe('permission-denied');
    const older = await load?.execute({ name: 'a', version: '1.0.0' }, { state: emptySkillState });
    expect(older?.error).toBeUndefined();
    const state = (older?.events ?? []).reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    expect((await read?.execute({ skill: 'a', path: 'f.md' }, { state }))?.error?.code).toBe('resource-not-found');
    expect((await read?.execute({ skill: 'a', path: 'f.md' }, { state: emptySkillState }))?.error?.code).toBe('permission-denied');
  });
});

describe('select', () => {
  it('CON-7 GOV-10: what a tenant has not, no way reaches; concurrent tenants never see each other (ATK-96)', async () => {
    interface Tenant {
      readonly tier: 'gold' | 'basic';
    }
    const skillset = createSkillset<Tenant>({
      skills: [make('basic-one'), make('gold-one', { metadata: { tier: 'gold' }, resources: { 'a.md': 'golden' } })],
      audience: { select: (skill, { tier }) => skill.metadata?.['tier'] !== 'gold' || tier === 'gold' },
    });
    const [gold, basic] = await Promise.all([skillset.open({ context: { tier: 'gold' } }), skillset.open({ context: { tier: 'basic' } })]);
    expectTypeOf(skillset.open).parameter(0).toEqualTypeOf<OpenRequest<Tenant> & { readonly context: Tenant }>();
    expect(gold.catalog.skills).toHaveLength(2);
    expect(basic.catalog.listed.map((skill) => skill.name)).toEqual(['basic-one']);
    for (const tool of basic.tools) {
      expect((await tool.execute({ name: 'gold-one', skill: 'gold-one', path: 'a.md' }, { state: stateOf('gold-one') })).text).not.toMatch(
        /Body of gold|golden/,
      );
    }
    expect((await basic.load({ name: 'gold-one' }, { state: emptySkillState })).error?.code).toBe('skill-not-found');
    expect((await basic.invoke('/gold-one', { state: emptySkillState }))?.error?.code).toBe('skill-not-found');
    expect((await lostTexts(basic.inside, reduceSkillState(stateOf('gold-one'), { type: 'compacted' }))).omitted).toEqual([
      { name: 'gold-one', reason: 'gone' },
    ]);
    expect((await gold.load({ name: 'gold-one' }, { state: emptySkillState })).text).toContain('Body of gold-one.');
  });
});

describe('a loaded skill that is given again', () => {
  const versions = [
    make('a', { version: '1.0.0', metadata: { tier: 'basic' } }),
    make('a', { version: '2.0.0', metadata: { tier: 'gold' } }),
  ];
  const loadGold = async () => await stateAfter(await createSkillset({ skills: versions }).open(), 'a');

  it('CON-7 GOV-10: in a version that is not selected, is gone', async () => {
    const gold = await loadGold();
    const options: SkillsetOptions = { skills: versions, audience: { select: (skill) => skill.metadata?.['tier'] === 'basic' } };
    const session = await createSkillset(options).open();
    expect((await lostTexts(session.inside, reduceSkillState(gold, { type: 'compacted' }))).omitted).toEqual([
      { name: 'a', reason: 'gone' },
    ]);
    const byMode = await createSkillset({ ...options, surface: { instructions: 'with-catalog' } }).open();
    expect(await byMode.activeInstructions(gold)).toBe(
      'Skill "a" is no longer available from its source. Go on without it, or load another one with load_skill.',
    );
  });

  it('GOV-5: in a version that may not be loaded, is denied', async () => {
    const gold = await loadGold();
    const options: SkillsetOptions = {
      skills: [...versions, make('a', { version: '3.0.0', metadata: { tier: 'basic' } })],
      audience: { permissions: ({ action, skill }) => action === 'list' || skill.metadata?.['tier'] === 'basic' },
    };
    const session = await createSkillset(options).open();
    expect((await lostTexts(session.inside, reduceSkillState(gold, { type: 'compacted' }))).omitted).toEqual([
      { name: 'a', reason: 'denied' },
    ]);
    const byMode = await createSkillset({ ...options, surface: { instructions: 'with-catalog' } }).open();
    expect(await byMode.activeInstructions(gold)).toBe('');
  });
});

describe('tools of skills', () => {
  const skills = [
    make('a', { tools: ['x', 'shared'] }),
    make('b', { tools: ['shared'] }),
    make('c', { tools: ['open'], autoActivate: 'always' }),
  ];
  const handed = ['search', 'x', 'shared', 'open', 'constructor'];
  const lockedIn = async (session: SkillSession, state: SkillState, tools: readonly string[] = handed) => {
    const verdicts = await Promise.all(tools.map((tool) => session.judgeCall(state, { tool })));
    return tools.filter((_, index) => verdicts[index]?.decision === 'denied');
  };

  it('GOV-1 GOV-11: those that skills in code name are locked until a skill that names them is loaded', async () => {
    const session = await createSkillset({ skills }).open();
    expect(await lockedIn(session, emptySkillState)).toEqual(['x', 'shared']);
    expect(await lockedIn(session, await stateAfter(session, 'b'))).toEqual(['x']);
    expect(await lockedIn(session, await stateAfter(session, 'a'))).toEqual([]);
    expect(session.openedBy('shared')).toEqual(['a', 'b']);
    expect(handed.map((tool) => session.isGated(tool))).toEqual([false, true, true, true, false]);
    expect(await session.judgeCall(emptySkillState, { tool: 'shared' })).toMatchObject({
      decision: 'denied',
      openedBy: ['a', 'b'],
      error: { code: 'not-loaded', skill: 'a' },
      because:
        'The tool shared is locked until the skill "a" or "b" is loaded. Call load_skill first and read its answer, then call shared in your next step.',
    });
  });

  it('GOV-1: or always open, where the skill says so; those of an untrusted source are nobody’s', async () => {
    const open = skills.map((skill) => ({ ...skill, autoActivate: 'always' as const }));
    expect(await lockedIn(await createSkillset({ skills: open }).open(), emptySkillState)).toEqual([]);
    const remote = await createSkillset({ provider: new SkillRegistry({ skills: open, trusted: false }) }).open();
    expect(handed.filter((tool) => remote.isGated(tool))).toEqual([]);
    expect(await lockedIn(remote, emptySkillState)).toEqual([]);
  });

  it('GOV-6 GOV-11: an untrusted skill does not open a tool that is closed', async () => {
    const theirs = new SkillRegistry({ skills: [make('theirs', { tools: ['refund'] })], label: 'theirs', trusted: false });
    const mine = new SkillRegistry({ skills: [make('mine', { tools: ['refund'] })], label: 'mine' });
    const session = await createSkillset({ provider: composeProviders([mine, theirs]) }).open();
    expect(await lockedIn(session, await stateAfter(session, 'theirs'), ['refund'])).toEqual(['refund']);
    expect(await lockedIn(session, await stateAfter(session, 'mine'), ['refund'])).toEqual([]);
    expect(session.openedBy('refund')).toEqual(['mine']);
  });

  it('DIS-10: the refusal of a tool never names a skill that is closed to models', async () => {
    const session = await createSkillset({ skills: [make('secret', { tools: ['x'], disableModelInvocation: true })] }).open();
    const verdict = await session.judgeCall(emptySkillState, { tool: 'x' });
    expect(verdict).toMatchObject({ decision: 'denied', openedBy: [], because: expect.stringContaining('only the user can start') });
    expect(verdict.because).not.toContain('secret');
  });

  it('GOV-1 GOV-6: a skill that names a skill tool locks nobody out', async () => {
    for (const trusted of [true, false]) {
      const session = await createSkillset({
        provider: new SkillRegistry({ skills: [make('a', { tools: ['load_skill'] })], trusted }),
      }).open();
      expect((await session.judgeCall(emptySkillState, { tool: 'load_skill' })).decision).toBe('allowed');
    }
  });

  it('GOV-8: a skill whose tools are missing is shown, hidden, or shown with the reason', async () => {
    const text = async (missing?: 'show' | 'hide' | 'explain') =>
      (await createSkillset({ skills, gates: { missing } }).open({ availableTools: ['shared', 'open'] })).catalog.text;
    expect(missingTools({ ...skills[0]!, version: null }, ['shared'])).toEqual(['x']);
    expect(await text()).toContain('name="a">a.<');
    expect(await text('hide')).not.toContain('name="a"');
    expect(await text('hide')).toContain('name="b"');
    expect(await text('explain')).toContain('name="a">a. (Not usable here: it needs the tool x, which is missing.)<');
  });
});

describe('model and fork', () => {
  it('GOV-3: the skill that was loaded last among those that name a model decides; inherit and the untrusted do not (ATK-109)', async () => {
    const skillset = createSkillset({
      skills: [make('a', { model: 'small' }), make('b', { model: 'large' }), make('c', { model: 'inherit' }), make('d')],
    });
    const session = await skillset.open();
    expect(await session.model(emptySkillState)).toBeUndefined();
    expect(await session.model(await stateAfter(session, 'b', 'a', 'c', 'd'))).toBe('small');
    expect(await session.model(reduceSkillState(await stateAfter(session, 'b', 'a'), { type: 'unloaded', name: 'a' }))).toBe('large');
    const remote = await createSkillset({
      provider: new SkillRegistry({ skills: [make('a', { model: 'costly' })], trusted: false }),
    }).open();
    expect(await remote.model(await stateAfter(remote, 'a'))).toBeUndefined();
    // Nor one that was not loaded in the revision that is listed.
    expect(await session.model(stateOf('a'))).toBeUndefined();
  });

  it('GOV-4: a skill that wants its own agent gives the request where the caller can run one, else its instructions', async () => {
    const audit = make('audit', { context: 'fork', agent: 'Explore', body: 'Audit $ARGUMENTS.' });
    const call = async (trusted: boolean, canFork: boolean) => {
      const skillset = createSkillset({ provider: new SkillRegistry({ skills: [audit], trusted }) });
      return (await skillset.open()).load({ name: 'audit', arguments: 'the api' }, { state: emptySkillState, canFork });
    };
    expect(await call(true, true)).toEqual({
      text: '',
      events: [],
      fork: { skill: 'audit', agent: 'Explore', model: undefined, arguments: 'the api', prompt: expect.stringContaining('Audit the api.') },
    });
    expect((await call(true, false)).text).toContain('Audit the api.');
    expect((await call(false, true)).fork).toBeUndefined();
  });
});

describe('events', () => {
  it('DIS-15: tell what happened; a listener that throws breaks nothing', async () => {
    const heard: SkillActivity[] = [];
    const skillset = createSkillset({
      skills: [make('a', { version: '1.0.0', tools: ['x'], resources: { 'f.md': 'F' } })],
      audience: { permissions: ({ action, path }) => action !== 'read' || path === 'f.md' },
      onEvent: (activity) => {
        heard.push(activity);
        throw new Error('logger broke');
      },
    });
    const [load, read, unload] = (await skillset.open()).tools;
    const loaded = await load?.execute({ name: 'a' }, { state: emptySkillState });
    const state = (loaded?.events ?? []).reduce((current, event) => reduceSkillState(current, event), emptySkillState);
    await load?.execute({ name: 'a' }, { state });
    const file = await read?.execute({ skill: 'a', path: 'f.md' }, { state });
    await read?.execute({ skill: 'a', path: 'g.md' }, { state });
    await unload?.execute({ name: 'a' }, { state });
    const who = { skill: 'a', version: '1.0.0', source: 'code', trusted: true };
    expect(heard).toEqual([
      { type: 'catalog_built', skills: 1, tokens: expect.any(Number), shortened: [], nameOnly: [], dropped: [] },
      { type: 'skill_loaded', by: 'model', tokens: expect.any(Number), digest: sha256(loaded?.text), ...who },
      { type: 'skill_already_active', by: 'model', ...who },
      { type: 'resource_read', path: 'f.md', bytes: 1, pinned: true, digest: sha256(file?.text), ...who },
      { type: 'skill_denied', action: 'read', reason: '', ...who },
      { type: 'skill_failed', tool: 'read_skill_file', code: 'permission-denied', message: expect.stringContaining('"g.md"') },
      { type: 'skill_unloaded', ...who },
    ]);
  });
});
