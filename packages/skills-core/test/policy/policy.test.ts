import { describe, expect, expectTypeOf, it } from 'vitest';
import { createSkillset, emptySkillState, inCodeSkillProvider, lockedSkillTools, lockedToolError, type SkillActivity, type SkillDefinition } from '@repertoire/skills-core';
import { reduceSkillState } from '@repertoire/skills-core/state';
import { missingTools, type SkillPermissionRequest } from '@repertoire/skills-core/policy';

const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `${name}.`,
  body: `Body of ${name}.`,
  ...more,
});
const stateOf = (...names: string[]) =>
  names.reduce((state, name) => reduceSkillState(state, { type: 'loaded', name, digest: name }), emptySkillState);

describe('permissions', () => {
  interface Request {
    readonly role: 'admin' | 'reader' | 'loader';
  }
  const asked: SkillPermissionRequest<Request>[] = [];
  const skillset = createSkillset<Request>({
    skills: [make('payroll', { resources: { 'a.md': 'A' } })],
    permissions: (request) => {
      asked.push(request);
      const { action, context } = request;
      if (context.role === 'admin') return true;
      if (action === 'list') return context.role === 'reader';
      return { allowed: context.role === 'loader' && action === 'load', reason: 'only people of finance' };
    },
  });

  it('GOV-5: a role may list but not load', async () => {
    const catalog = await skillset.catalog({ context: { role: 'reader' } });
    expect(catalog.text).toContain('payroll');
    const [load, read] = skillset.tools(catalog);
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
      permissions: ({ action, skill }) => skill.name === 'welcome' || action === 'load',
    });
    const catalog = await both.catalog({ context: { role: 'loader' } });
    expect(catalog.text).not.toContain('payroll');
    const [load, read] = both.tools(catalog);
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
  ])('GOV-5: a hook that %s means no', async (_, permissions) => {
    const closed = createSkillset({ skills: [make('a')], permissions });
    const catalog = await closed.catalog();
    expect(catalog.text).toBe('');
    const result = await closed.load(catalog, { name: 'a' }, { state: emptySkillState });
    expect(result.error?.code).toBe('permission-denied');
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
      permissions: ({ action, skill }) => action === 'list' || skill.metadata?.['level'] === 'open',
    });
    const catalog = await skillset.catalog();
    const [load, read] = skillset.tools(catalog);
    expect((await load?.execute({ name: 'a' }, { state: emptySkillState }))?.error?.code).toBe('permission-denied');
    const older = await load?.execute({ name: 'a', version: '1.0.0' }, { state: emptySkillState });
    expect(older?.error).toBeUndefined();
    const state = (older?.events ?? []).reduce(reduceSkillState, emptySkillState);
    expect((await read?.execute({ skill: 'a', path: 'f.md' }, { state }))?.error?.code).toBe('resource-not-found');
    expect((await read?.execute({ skill: 'a', path: 'f.md' }, { state: emptySkillState }))?.error?.code).toBe('permission-denied');
  });
});

describe('select', () => {
  it('CON-7 GOV-10: what a tenant has not, no way reaches; concurrent tenants never see each other', async () => {
    interface Tenant {
      readonly tier: 'gold' | 'basic';
    }
    const skillset = createSkillset<Tenant>({
      skills: [make('basic-one'), make('gold-one', { metadata: { tier: 'gold' }, resources: { 'a.md': 'golden' } })],
      select: (skill, { tier }) => skill.metadata?.['tier'] !== 'gold' || tier === 'gold',
    });
    const [gold, basic] = await Promise.all([
      skillset.catalog({ context: { tier: 'gold' } }),
      skillset.catalog({ context: { tier: 'basic' } }),
    ]);
    expectTypeOf(gold.context).toEqualTypeOf<Tenant>();
    expect(gold.skills).toHaveLength(2);
    expect(basic.listed.map((skill) => skill.name)).toEqual(['basic-one']);
    for (const tool of skillset.tools(basic)) {
      expect((await tool.execute({ name: 'gold-one', skill: 'gold-one', path: 'a.md' }, { state: stateOf('gold-one') })).text).not.toMatch(
        /Body of gold|golden/,
      );
    }
    expect((await skillset.load(basic, { name: 'gold-one' }, { state: emptySkillState })).error?.code).toBe('skill-not-found');
    expect((await skillset.invoke(basic, '/gold-one', { state: emptySkillState }))?.error?.code).toBe('skill-not-found');
    expect((await skillset.reattachSkills(basic, reduceSkillState(stateOf('gold-one'), { type: 'compacted' }))).omitted).toEqual([
      { name: 'gold-one', reason: 'gone' },
    ]);
    expect((await skillset.load(gold, { name: 'gold-one' }, { state: emptySkillState })).text).toContain('Body of gold-one.');
  });
});

describe('a loaded skill that is given again', () => {
  const versions = [
    make('a', { version: '1.0.0', metadata: { tier: 'basic' } }),
    make('a', { version: '2.0.0', metadata: { tier: 'gold' } }),
  ];
  const gold = reduceSkillState(emptySkillState, { type: 'loaded', name: 'a', version: '2.0.0', digest: 'x' });

  it('CON-7 GOV-10: in a version that is not selected, is gone', async () => {
    const skillset = createSkillset({ skills: versions, select: (skill) => skill.metadata?.['tier'] === 'basic', bodies: 'by-mode' });
    const catalog = await skillset.catalog();
    expect((await skillset.reattachSkills(catalog, reduceSkillState(gold, { type: 'compacted' }))).omitted).toEqual([
      { name: 'a', reason: 'gone' },
    ]);
    expect(await skillset.activeInstructions(catalog, gold)).toBe('');
  });

  it('GOV-5: in a version that may not be loaded, is denied', async () => {
    const skillset = createSkillset({
      skills: [...versions, make('a', { version: '3.0.0', metadata: { tier: 'basic' } })],
      permissions: ({ action, skill }) => action === 'list' || skill.metadata?.['tier'] === 'basic',
      bodies: 'by-mode',
    });
    const catalog = await skillset.catalog();
    expect((await skillset.reattachSkills(catalog, reduceSkillState(gold, { type: 'compacted' }))).omitted).toEqual([
      { name: 'a', reason: 'denied' },
    ]);
    expect(await skillset.activeInstructions(catalog, gold)).toBe('');
  });
});

describe('tools of skills', () => {
  const skills = [
    make('a', { tools: ['x', 'shared'] }),
    make('b', { tools: ['shared'] }),
    make('c', { tools: ['open'], autoActivate: 'always' }),
  ];

  it('GOV-1: are locked until a skill that names them is loaded', async () => {
    const skillset = createSkillset({ skills });
    const catalog = await skillset.catalog();
    const tools = ['search', 'x', 'shared', 'open'];
    expect(lockedSkillTools(catalog.listed, emptySkillState, tools)).toEqual(['x', 'shared']);
    expect(lockedSkillTools(catalog.listed, stateOf('b'), tools)).toEqual(['x']);
    expect(skillset.toolAccess(catalog, emptySkillState, 'shared')).toEqual({ open: false, openedBy: ['a', 'b'] });
    expect(skillset.toolAccess(catalog, emptySkillState, 'constructor')).toEqual({ open: true });
  });

  it('GOV-1: or always open, where the host says so; but not those of an untrusted source', async () => {
    const skillset = createSkillset({ skills, autoActivate: 'always' });
    expect(skillset.toolAccess(await skillset.catalog(), emptySkillState, 'x')).toEqual({ open: true });
    const remote = createSkillset({ provider: inCodeSkillProvider(skills, { trusted: false }), autoActivate: 'always' });
    expect(remote.toolAccess(await remote.catalog(), emptySkillState, 'open')).toEqual({ open: false, openedBy: ['c'] });
  });

  it('GOV-6: an untrusted skill does not open a tool that a trusted one names', () => {
    const named = (name: string, trusted: boolean) => ({
      name,
      description: name,
      tools: ['refund'],
      origin: { kind: 'x', label: 'x', trusted },
    });
    expect(lockedSkillTools([named('mine', true), named('theirs', false)], stateOf('theirs'), ['refund'])).toEqual(['refund']);
    expect(lockedSkillTools([named('mine', true), named('theirs', false)], stateOf('mine'), ['refund'])).toEqual([]);
  });

  it('DIS-10: the refusal of a tool never names a skill that is closed to models', async () => {
    const skillset = createSkillset({ skills: [make('secret', { tools: ['x'], disableModelInvocation: true })] });
    const access = skillset.toolAccess(await skillset.catalog(), emptySkillState, 'x');
    expect(access).toEqual({ open: false, openedBy: [] });
    expect(lockedToolError('x', [], skillset.toolNames).message).toContain('only the user can start');
  });

  it('GOV-1 GOV-6: a skill that names a skill tool locks nobody out', async () => {
    const remote = createSkillset({ provider: inCodeSkillProvider([make('a', { tools: ['load_skill'] })], { trusted: false }) });
    expect(remote.toolAccess(await remote.catalog(), emptySkillState, 'load_skill')).toEqual({ open: true });
  });

  it('GOV-8: a skill whose tools are missing is shown, hidden, or shown with the reason', async () => {
    const text = async (missing?: 'show' | 'hide' | 'explain') =>
      (await createSkillset({ skills, missingTools: missing }).catalog({ availableTools: ['shared', 'open'] })).text;
    expect(missingTools(skills[0]!, ['shared'])).toEqual(['x']);
    expect(await text()).toContain('name="a">a.<');
    expect(await text('hide')).not.toContain('name="a"');
    expect(await text('hide')).toContain('name="b"');
    expect(await text('explain')).toContain('name="a">a. (Not usable here: it needs the tool x, which is missing.)<');
  });
});

describe('model and fork', () => {
  it('GOV-3: the skill that was loaded last among those that name a model decides; inherit and the untrusted do not', async () => {
    const skillset = createSkillset({
      skills: [make('a', { model: 'small' }), make('b', { model: 'large' }), make('c', { model: 'inherit' }), make('d')],
    });
    const catalog = await skillset.catalog();
    expect(skillset.modelOverride(catalog, emptySkillState)).toBeUndefined();
    expect(skillset.modelOverride(catalog, stateOf('b', 'a', 'c', 'd'))).toBe('small');
    expect(skillset.modelOverride(catalog, reduceSkillState(stateOf('b', 'a'), { type: 'unloaded', name: 'a' }))).toBe('large');
    const remote = createSkillset({ provider: inCodeSkillProvider([make('a', { model: 'costly' })], { trusted: false }) });
    expect(remote.modelOverride(await remote.catalog(), stateOf('a'))).toBeUndefined();
  });

  it('GOV-4: a skill that wants its own agent gives the request where the caller can run one, else its instructions', async () => {
    const audit = make('audit', { context: 'fork', agent: 'Explore', body: 'Audit $ARGUMENTS.' });
    const call = async (trusted: boolean, canFork: boolean) => {
      const skillset = createSkillset({ provider: inCodeSkillProvider([audit], { trusted }) });
      return skillset.load(await skillset.catalog(), { name: 'audit', arguments: 'the api' }, { state: emptySkillState, canFork });
    };
    expect(await call(true, true)).toEqual({
      text: '',
      events: [],
      fork: { skill: 'audit', agent: 'Explore', model: undefined, prompt: expect.stringContaining('Audit the api.') },
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
      permissions: ({ action, path }) => action !== 'read' || path === 'f.md',
      onEvent: (activity) => {
        heard.push(activity);
        throw new Error('logger broke');
      },
    });
    const [load, read, unload] = skillset.tools(await skillset.catalog());
    const loaded = await load?.execute({ name: 'a' }, { state: emptySkillState });
    const state = (loaded?.events ?? []).reduce(reduceSkillState, emptySkillState);
    await load?.execute({ name: 'a' }, { state });
    await read?.execute({ skill: 'a', path: 'f.md' }, { state });
    await read?.execute({ skill: 'a', path: 'g.md' }, { state });
    await unload?.execute({ name: 'a' }, { state });
    const who = { skill: 'a', version: '1.0.0', source: 'code', trusted: true };
    expect(heard).toEqual([
      { type: 'catalog_built', skills: 1, tokens: expect.any(Number), shortened: [], nameOnly: [], dropped: [] },
      { type: 'skill_loaded', by: 'model', tokens: expect.any(Number), ...who },
      { type: 'skill_already_active', by: 'model', ...who },
      { type: 'resource_read', path: 'f.md', bytes: 1, ...who },
      { type: 'skill_denied', action: 'read', reason: '', ...who },
      { type: 'skill_failed', tool: 'read_skill_file', code: 'permission-denied', message: expect.stringContaining('"g.md"') },
      { type: 'skill_unloaded', ...who },
    ]);
  });
});
