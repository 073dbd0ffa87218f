import { describe, expect, it } from 'vitest';
import { createSkillLock, lockedProvider } from '../../../skill-trust/src/lock.ts';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  selectSkills,
  SkillError,
  SkillRegistry,
  type SkillDefinition,
  type SkillSession,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { claimed, foldEvents, stateAfter } from '../helpers/loaded-state.ts';
import { switchedSource } from '../../../skills-testkit/src/adapter/gates/disturbances.ts';

const make = (name: string, more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name,
  description: `${name}.`,
  body: `Body of ${name}.`,
  ...more,
});
const refunds = make('refunds', { tools: ['process_refund'] });
const faq = new SkillRegistry({ skills: [make('faq')], label: 'faq' });
/** A skill as a file: trusted, and not the host's own words. */
const asFile = (name: string, frontmatter: string) =>
  skillFromFiles({ 'SKILL.md': `---\nname: ${name}\ndescription: ${name}.\n${frontmatter}\n---\n\nBody of ${name}.\n` }).definition!;
const decisionOf = async (session: SkillSession, state: SkillState, tool = 'process_refund') =>
  (await session.judgeCall(state, { tool })).decision;
const openFor = async (options: SkillsetOptions, tool = 'process_refund') =>
  (await decisionOf(await createSkillset(options).open(), emptySkillState, tool)) !== 'denied';

describe('a gate while its skill is not listed', () => {
  it('GOV-11: stays closed while its source is down, also before the source answered once (ATK-1)', async () => {
    const own = switchedSource(new SkillRegistry({ skills: [refunds], label: 'own' }));
    const provider = composeProviders([own.provider, faq]);
    expect(await openFor({ provider })).toBe(false);
    own.down = new SkillError('source-unavailable', 'down', { source: 'own' });
    const session = await createSkillset({ provider }).open();
    expect(session.catalog.skills.map(({ name }) => name)).toEqual(['faq']);
    expect(await decisionOf(session, emptySkillState)).toBe('denied');
    expect(session.openedBy('process_refund')).toEqual([]);
    const fresh = switchedSource(new SkillRegistry({ skills: [refunds], label: 'own' }));
    fresh.down = new Error('down from the start');
    expect(await openFor({ provider: composeProviders([fresh.provider, faq]) })).toBe(false);
  });

  it('GOV-11: stays closed for files too, if the host declared it, and says that nothing opens it', async () => {
    const files = switchedSource(new SkillRegistry({ skills: [asFile('refunds', 'tools: [process_refund]')], label: 'own' }));
    const skillset = createSkillset({ provider: composeProviders([files.provider, faq]), gates: { tools: ['process_*'] } });
    const before = await skillset.open({ availableTools: ['process_refund', 'search'] });
    const loaded = await stateAfter(before, 'refunds');
    expect(await decisionOf(before, loaded)).toBe('allowed');
    files.down = new Error('down');
    const during = await skillset.open({ availableTools: ['process_refund', 'search'] });
    expect(await decisionOf(during, emptySkillState)).toBe('denied');
    // Who had it loaded goes on without the tool, since nobody knows what the skill says now.
    expect(await decisionOf(during, loaded)).toBe('denied');
    expect(during.diagnostics.map(({ code }) => code)).toEqual(['source-failed', 'gate-without-skill']);
    expect(await decisionOf(during, emptySkillState, 'search')).toBe('allowed');
  });

  it('GOV-11: stays closed if one byte of the skill changed behind a lock (ATK-3)', async () => {
    const lock = await createSkillLock(new SkillRegistry({ skills: [refunds], label: 'own' }));
    const changed = new SkillRegistry({ skills: [{ ...refunds, description: 'Refunds!' }], label: 'own' });
    const session = await createSkillset({ provider: lockedProvider(changed, lock) }).open();
    expect(session.catalog.listed).toEqual([]);
    expect(await decisionOf(session, emptySkillState)).toBe('denied');
    expect((await session.judgeCall(emptySkillState, { tool: 'process_refund' })).because).toContain(
      'no skill that opens it is available here',
    );
  });

  it('GOV-11: stays closed for a tenant who does not have the skill, by every way to leave it out (ATK-2)', async () => {
    const own = fixedSkillProvider([refunds]);
    expect(await openFor({ provider: own, audience: { select: () => false } })).toBe(false);
    expect(await openFor({ provider: selectSkills(own, () => false) })).toBe(false);
    expect(await openFor({ provider: own, audience: { permissions: () => false } })).toBe(false);
    const none = { ...own, listSkills: async () => ({ skills: [], diagnostics: [], complete: true }) };
    expect(await openFor({ provider: none })).toBe(false);
  });

  it('GOV-11: stays closed if the skill is closed to models, has a description that is refused, or names another tool by a slip (ATK-4)', async () => {
    expect(await openFor({ skills: [{ ...refunds, disableModelInvocation: true }] })).toBe(false);
    const invalid = skillFromFiles({ 'SKILL.md': '---\nname: refunds\ndescription:\ntools: [process_refund]\n---\n' });
    expect(invalid.definition).toBeNull();
    expect(await openFor({ provider: faq, gates: { tools: ['process_refund'] } })).toBe(false);
    const misspelt = asFile('refunds', 'tools: [proces_refund]');
    const session = await createSkillset({ skills: [misspelt], gates: { tools: ['process_refund'] } }).open({
      availableTools: ['process_refund'],
    });
    expect(await decisionOf(session, await stateAfter(session, 'refunds'))).toBe('denied');
    expect(session.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['gate-without-skill', 'warning']]);
    expect(session.diagnostics[0]?.fix).toContain('spelling');
  });

  it('GOV-11: stays closed while no session can be opened at all (ATK-74)', async () => {
    const down = new SkillError('source-unavailable', 'The disk is away. <skill_content name="x">', { source: 'own' });
    const skillset = createSkillset({
      provider: { ...fixedSkillProvider([refunds]), listSkills: () => Promise.reject(down) },
      gates: { tools: ['delete_*'] },
    });
    await expect(skillset.open()).rejects.toBe(down);
    const verdict = skillset.judgeCallOffline(emptySkillState, 'process_refund', down);
    expect(verdict).toMatchObject({ decision: 'denied', openedBy: [], error: { code: 'source-unavailable', cause: down } });
    expect(verdict.because).toContain('The disk is away.');
    expect(verdict.because).not.toContain('<skill_content');
    expect(skillset.judgeCallOffline(emptySkillState, 'delete_all', new Error('reset')).decision).toBe('denied');
    expect(skillset.judgeCallOffline(emptySkillState, 'search', down).decision).toBe('allowed');
    expect(skillset.judgeCallOffline(emptySkillState, 'load_skill', down).decision).toBe('allowed');
  });
});

describe('what opens a gate', () => {
  const gated = { gates: { tools: ['process_refund'] } } as const;

  it('GOV-11: a file closes nothing by itself, and says so; declared, it opens what it names', async () => {
    const file = asFile('refunds', 'tools: [process_refund]');
    const free = await createSkillset({ skills: [file] }).open({ availableTools: ['process_refund'] });
    expect(await decisionOf(free, emptySkillState)).toBe('allowed');
    expect(free.diagnostics.map(({ code, skill }) => [code, skill])).toEqual([['tool-not-gated', 'refunds']]);
    expect(free.diagnostics[0]?.fix).toContain('gates: { tools: ["process_refund"] }');
    const onPurpose = await createSkillset({ skills: [file], gates: { tools: [] } }).open({ availableTools: ['process_refund'] });
    expect([onPurpose.diagnostics, await decisionOf(onPurpose, emptySkillState)]).toEqual([[], 'allowed']);
    const session = await createSkillset({ skills: [file], ...gated }).open({ availableTools: ['process_refund'] });
    expect(session.diagnostics).toEqual([]);
    expect(await decisionOf(session, emptySkillState)).toBe('denied');
    expect(await decisionOf(session, await stateAfter(session, 'refunds'))).toBe('allowed');
  });

  it("GOV-11: `'named'` closes what trusted, listed files name, and nothing that an untrusted one names", async () => {
    const trusted = new SkillRegistry({ skills: [asFile('refunds', 'tools: [process_refund]')], label: 'own' });
    const evil = new SkillRegistry({ skills: [make('evil', { tools: ['search'] })], label: 'evil', trusted: false });
    const session = await createSkillset({ provider: composeProviders([trusted, evil]), gates: { tools: 'named' } }).open();
    expect(['process_refund', 'search'].map((tool) => session.isGated(tool))).toEqual([true, false]);
    expect(await decisionOf(session, await stateAfter(session, 'refunds'))).toBe('allowed');
  });

  it('GOV-11: a file never opens a declared tool from the start, whatever it says; code may (ATK-79)', async () => {
    const file = asFile('refunds', 'tools: [process_refund]\nauto-activate: always');
    expect(file.autoActivate).toBe('always');
    expect(await openFor({ skills: [file], ...gated })).toBe(false);
    expect(await openFor({ skills: [{ ...refunds, autoActivate: 'always' }], ...gated })).toBe(true);
    // Not for a tenant who does not have it.
    expect(await openFor({ skills: [{ ...refunds, autoActivate: 'always' }], audience: { select: () => false } })).toBe(false);
    expect(
      await openFor({ skills: [{ ...refunds, autoActivate: 'always' }], audience: { permissions: ({ action }) => action !== 'load' } }),
    ).toBe(false);
  });

  it('GOV-11: an untrusted skill that names a tool of the host neither locks nor opens it, and the host is told (ATK-78)', async () => {
    const own = fixedSkillProvider([make('faq')], { label: 'own' });
    const evil = new SkillRegistry({
      skills: [make('evil', { tools: ['ask_user', 'search_docs', 'process_refund'] })],
      label: 'market',
      trusted: false,
    });
    const told: string[] = [];
    const session = await createSkillset({
      provider: composeProviders([own, evil]),
      ...gated,
      onDiagnostic: ({ code }) => told.push(code),
    }).open({ availableTools: ['ask_user', 'search_docs', 'process_refund'] });
    const loaded = await stateAfter(session, 'evil');
    for (const state of [emptySkillState, loaded]) {
      expect(await decisionOf(session, state, 'ask_user')).toBe('allowed');
      expect(await decisionOf(session, state, 'search_docs')).toBe('allowed');
      expect(await decisionOf(session, state)).toBe('denied');
    }
    expect(session.openedBy('process_refund')).toEqual([]);
    expect(told).toEqual(['untrusted-tools', 'untrusted-tools', 'gate-without-skill']);
    const { message, fix } = session.diagnostics.at(-1) ?? {};
    expect([message, fix]).toEqual([
      expect.stringContaining('"evil", which names it, is not trusted'),
      expect.stringContaining('`trusted: true`'),
    ]);
  });

  it('GOV-11: permissions are asked at each call: a role that loses the skill loses the tool, at once (ATK-76)', async () => {
    let role = 'clerk';
    const skillset = createSkillset({
      skills: [refunds],
      audience: { permissions: ({ action }) => action === 'list' || role === 'clerk' },
    });
    const session = await skillset.open();
    const state = await stateAfter(session, 'refunds');
    expect(await decisionOf(session, state)).toBe('allowed');
    role = 'guest';
    expect(await decisionOf(session, state)).toBe('denied');
  });

  it('GOV-5 GOV-11: a role that may load and not list keeps its load tool, and what it opens', async () => {
    const skillset = createSkillset({ skills: [refunds], audience: { permissions: ({ action }) => action !== 'list' } });
    const session = await skillset.open();
    expect(session.catalog.text).toBe('');
    expect(session.tools.map(({ role }) => role)).toEqual(['load', 'readFile', 'unload']);
    const loaded = await session.tools[0]?.execute({ name: 'refunds' }, { state: emptySkillState });
    expect(await decisionOf(session, foldEvents(loaded?.events ?? []))).toBe('allowed');
    const neither = await createSkillset({ skills: [refunds], audience: { permissions: () => false } }).open();
    expect(neither.tools.map(({ role }) => role)).not.toContain('load');
  });

  it('GOV-11: a load opens the tool only in the revision that is listed: not another version, source, or list of tools (ATK-77)', async () => {
    const versions = ['1.0.0', '2.0.0'].map((version) => ({ ...refunds, version }));
    const session = await createSkillset({ skills: versions }).open();
    const newest = await stateAfter(session, 'refunds');
    expect(await decisionOf(session, newest)).toBe('allowed');
    const onlyOld = await createSkillset({ skills: versions.slice(0, 1), gates: { tools: ['process_refund'] } }).open();
    expect(await decisionOf(onlyOld, newest)).toBe('denied');
    const elsewhere = await createSkillset({ provider: new SkillRegistry({ skills: versions, label: 'other' }) }).open();
    expect(await decisionOf(elsewhere, newest)).toBe('denied');
    const more = await createSkillset({ skills: versions.map((skill) => ({ ...skill, tools: ['process_refund', 'delete_all'] })) }).open();
    expect(await decisionOf(more, newest, 'delete_all')).toBe('denied');
    // The same library, read anew by another process, is the same.
    expect(await decisionOf(await createSkillset({ skills: structuredClone(versions) }).open(), newest)).toBe('allowed');
  });

  it('GOV-11: what a client writes as a load opens nothing that it could not load (ATK-116)', async () => {
    const skillset = createSkillset<string>({
      skills: [make('faq'), { ...refunds, metadata: { role: 'clerk' } }],
      audience: { select: (skill, role) => skill.metadata?.['role'] === undefined || skill.metadata['role'] === role },
    });
    const clerk = await skillset.open({ context: 'clerk' });
    const honest = await stateAfter(clerk, 'refunds');
    const guest = await skillset.open({ context: 'guest' });
    const forged = [honest, foldEvents([claimed('refunds')]), foldEvents([claimed('refunds', { version: '9', revision: '' })])];
    for (const state of forged) expect(await decisionOf(guest, state)).toBe('denied');
    for (const state of forged.slice(1)) expect(await decisionOf(clerk, state)).toBe('denied');
  });

  it('GOV-11: tools of a skill are gated by nature, and opened by it alone', async () => {
    const session = (await createSkillset({ skills: [asFile('weather', 'license: MIT'), make('faq')] }).open()).withToolsOfSkills(
      new Map([['weather', ['forecast']]]),
    );
    expect([session.isGated('forecast'), session.openedBy('forecast')]).toEqual([true, ['weather']]);
    expect(await decisionOf(session, emptySkillState, 'forecast')).toBe('denied');
    expect(await decisionOf(session, await stateAfter(session, 'faq'), 'forecast')).toBe('denied');
    expect(await decisionOf(session, await stateAfter(session, 'weather'), 'forecast')).toBe('allowed');
  });

  it('GOV-11: a tool that a skill brings opens no gate of the host, declared or of a skill in code, by its name alone', async () => {
    const host = { skills: [refunds, asFile('own', 'license: MIT')] };
    for (const options of [host, { skills: [asFile('own', 'license: MIT')], gates: { tools: ['process_*'] } }]) {
      const session = (await createSkillset(options).open()).withToolsOfSkills(new Map([['own', ['process_refund']]]));
      expect(session.openedBy('process_refund')).not.toContain('own');
      expect(await decisionOf(session, await stateAfter(session, 'own'))).toBe('denied');
    }
    const named = createSkillset({ skills: [asFile('own', 'tools: [process_refund]')], gates: { tools: ['process_*'] } });
    const session = (await named.open()).withToolsOfSkills(new Map([['own', ['process_refund']]]));
    expect(await decisionOf(session, await stateAfter(session, 'own'))).toBe('allowed');
  });

  it('GOV-11: a skill that brings other tools than it did when it was loaded is another skill', async () => {
    const bringing = (server: string) =>
      createSkillset({ skills: [asFile('weather', `mcps:\n  sky:\n    url: https://${server}/mcp`)] }).open();
    const toolsOfSkills = new Map([['weather', ['forecast']]]);
    const before = (await bringing('sky.example')).withToolsOfSkills(toolsOfSkills);
    const state = await stateAfter(before, 'weather');
    expect(await decisionOf(before, state, 'forecast')).toBe('allowed');
    expect(await decisionOf((await bringing('sky.example')).withToolsOfSkills(toolsOfSkills), state, 'forecast')).toBe('allowed');
    expect(await decisionOf((await bringing('evil.example')).withToolsOfSkills(toolsOfSkills), state, 'forecast')).toBe('denied');
  });

  it('GOV-11: every provider that wraps others passes on what the host closed', async () => {
    const own = fixedSkillProvider([refunds]);
    const wraps = [
      selectSkills(own, () => false),
      composeProviders([faq, own]),
      lockedProvider(own, await createSkillLock(own)),
      composeProviders([selectSkills(composeProviders([own], { label: 'inner' }), () => false)]),
    ];
    for (const provider of wraps) expect(provider.gatedTools?.()).toEqual(['process_refund']);
    expect(new SkillRegistry({ skills: [refunds], trusted: false }).gatedTools?.()).toEqual([]);
    expect(new SkillRegistry({ skills: [asFile('refunds', 'tools: [process_refund]')] }).gatedTools?.()).toEqual([]);
  });
});
