import {
  createSkillset,
  emptySkillState,
  selectSkills,
  skillAllowedTools,
  skillApprovals,
  skillDiscovery,
  SkillRegistry,
  type SkillMetadata,
  type SkillProvider,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';
import { wrapProvider, type SkillListing } from '@repertoire/skills-core/provider';
import { describe, expect, it, vi, onTestFinished } from 'vitest';
import { stateAfter } from '../helpers/loaded-state.ts';

const ops = {
  name: 'ops',
  description: 'Runs things.',
  body: 'Secret body, with a zebraword.',
  allowedTools: ['bash'],
  tools: ['pay'],
  model: 'costly',
  resources: { 'limits.md': 'Secret file.' },
};
const faq = { name: 'faq', description: 'Answers.', body: 'Open body.' };

type Role = { readonly may: boolean };

/** A skillset in which `ops` may be listed and only a role may load it. */
function desk(options: Partial<SkillsetOptions<Role>> = {}) {
  return createSkillset<Role>({
    skills: [ops, faq],
    gates: { tools: ['pay'] },
    allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
    audience: { permissions: ({ action, skill, context }) => action === 'list' || skill.name !== 'ops' || context.may },
    onDiagnostic: 'silent',
    ...options,
  });
}

/** The state of somebody else under other names, as a client may claim it. */
function renamed(state: SkillState, name: string): SkillState {
  return { ...state, loaded: Object.fromEntries(Object.values(state.loaded).map((entry) => [name, entry])) };
}

async function answers(skillset: ReturnType<typeof desk>, state: SkillState, name: string) {
  const session = await skillset.open({ context: { may: false } });
  const call = async (role: string, input: object): Promise<string> =>
    (await session.tools.find((tool) => tool.role === role)?.execute(input, { state }))?.text ?? '';
  const put = await restoreSkills(session, [{ role: 'user', entries: [] }], { state: { ...state, loaded: mapped(state) } });
  return {
    texts: [
      await call('readFile', { skill: name, path: 'limits.md' }),
      await call('listResources', { skill: name }),
      JSON.stringify(put),
      await session.activeInstructions(state),
    ].join('\n'),
    model: await session.model(state),
    active: (await session.active(state)).map((skill) => skill.name),
    pay: (await session.judgeCall(state, { tool: 'pay', input: {} })).decision,
    bash: (await session.judgeCall(state, { tool: 'bash', input: {} })).decision,
  };
}

/** Every text was cut from the context, so that all are restored. */
function mapped(state: SkillState): SkillState['loaded'] {
  return Object.fromEntries(Object.entries(state.loaded).map(([name, entry]) => [name, { ...entry, inContext: false }]));
}

describe('GOV-16: one door to a loaded skill', () => {
  it('GOV-16: a claim under another name reaches nothing of a skill that this request may not load (ATK-260)', async () => {
    const skillset = desk({ surface: { tools: 'full' } });
    const state = await stateAfter(await skillset.open({ context: { may: true } }), 'ops');
    for (const name of ['ops', 'faq', 'zzz', 'Ops', 'code:ops', 'constructor']) {
      const found = await answers(skillset, renamed(state, name), name);
      expect(found.texts, name).not.toMatch(/Secret|limits\.md/);
      expect({ name, ...found, texts: '' }).toEqual({ name, texts: '', model: undefined, active: [], pay: 'denied', bash: 'allowed' });
    }
    // Under its own name, and for who may load it, it is all there; under another one, nothing is.
    const session = await skillset.open({ context: { may: true } });
    const other = renamed(state, 'zzz');
    expect([await session.model(other), (await session.judgeCall(other, { tool: 'pay', input: {} })).decision]).toEqual([
      undefined,
      'denied',
    ]);
    expect([await session.model(state), (await session.judgeCall(state, { tool: 'bash', input: {} })).decision]).toEqual([
      'costly',
      'pre-approved',
    ]);
  });

  it('GOV-16: a refused claim does not warm the memory of the skillset', async () => {
    const reads = vi.fn<(name: string) => void>();
    const registry = new SkillRegistry({ skills: [ops, faq] });
    const provider = wrapProvider(registry, {
      listSkills: (options) => registry.listSkills(options),
      getSkill: (name, options) => (reads(name), registry.getSkill(name, options)),
      readResource: (name, path, options) => registry.readResource(name, path, options),
      contentOf: (name, options) => registry.contentOf?.(name, options) ?? Promise.resolve(undefined),
    });
    const loadedBy = desk({ skills: undefined, provider });
    const state = await stateAfter(await loadedBy.open({ context: { may: true } }), 'ops');
    const fresh = desk({ skills: undefined, provider });
    reads.mockClear();
    await answers(fresh, state, 'ops');
    await answers(fresh, renamed(state, 'faq'), 'faq');
    expect(reads).not.toHaveBeenCalled();
  });

  it('GOV-16: a withdrawn permission ends pre-approval, gate and model at the next call, and no restriction', async () => {
    let may = true;
    const audience = {
      permissions: ({ action, skill }: { action: string; skill: SkillMetadata }) => action === 'list' || skill.name !== 'ops' || may,
    };
    const skillset = desk({ audience });
    const session = await skillset.open({ context: { may: true } });
    const state = await stateAfter(session, 'ops');
    const judged = async (tool: string) => (await session.judgeCall(state, { tool, input: {} })).decision;
    expect([await judged('pay'), await judged('bash'), await session.model(state)]).toEqual(['allowed', 'pre-approved', 'costly']);
    may = false;
    expect([await judged('pay'), await judged('bash'), await session.model(state)]).toEqual(['denied', 'allowed', undefined]);

    may = true;
    const restricting = desk({ audience, allowedTools: skillAllowedTools({ policy: 'restrict' }) });
    const open = await restricting.open({ context: { may: true } });
    const restricted = await stateAfter(open, 'ops');
    expect((await open.judgeCall(restricted, { tool: 'bash', input: {} })).decision).toBe('allowed');
    may = false;
    for (const tool of ['bash', 'other']) expect((await open.judgeCall(restricted, { tool, input: {} })).decision).toBe('denied');
  });

  it('GOV-16: a person who must be asked is asked before files are listed, and never says no to lists too (ATK-261)', async () => {
    const market = new SkillRegistry({ skills: [ops], label: 'market', trusted: false });
    const skillset = createSkillset({ provider: market, approvals: skillApprovals(), surface: { tools: 'full' }, onDiagnostic: 'silent' });
    const session = await skillset.open({});
    for (const role of ['listResources', 'listAssets'] as const) {
      const answer = await session.tools.find((tool) => tool.role === role)?.execute({ skill: 'ops' }, { state: emptySkillState });
      expect(answer?.text).toContain('needs-approval');
      expect(answer?.text).not.toContain('limits.md');
    }
  });

  it('GOV-16: files of a skill that the host selects no longer are not there, in a session that was opened before', async () => {
    let isSelected = true;
    const audience = { select: ({ name }: SkillMetadata) => isSelected || name !== 'ops' };
    const session = await createSkillset({ skills: [ops, faq], audience }).open();
    const read = async () =>
      (
        await session.tools
          .find(({ role }) => role === 'readFile')
          ?.execute({ skill: 'ops', path: 'limits.md' }, { state: emptySkillState })
      )?.text;
    expect(await read()).toContain('Secret file.');
    isSelected = false;
    expect(await read()).toContain('skill-not-found');
  });

  it('GOV-16: a search tells nothing of the words of a skill that this request may not load (ATK-262)', async () => {
    const candidate = (text: string, field: 'body' | 'description') => ({
      name: 'ops',
      version: null,
      description: ops.description,
      score: 1,
      by: 'words' as const,
      matches: [{ text, fields: [field] }],
      origin: undefined,
    });
    const search = {
      search: async (query: string) => ({
        candidates: query.includes('runs')
          ? [
              {
                ...candidate('runs', 'description'),
                matches: [...candidate('runs', 'description').matches, ...candidate('zebraword', 'body').matches],
              },
            ]
          : [candidate(query, 'body')],
        mode: 'words' as const,
        diagnostics: [],
      }),
    };
    const skillset = desk({ discovery: skillDiscovery(search, { mode: 'search' }) });
    const ask = async (may: boolean, query: string): Promise<string> => {
      const session = await skillset.open({ context: { may } });
      return (await session.tools.find((tool) => tool.role === 'search')?.execute({ query }, { state: emptySkillState }))?.text ?? '';
    };
    expect(await ask(true, 'zebraword')).toContain('found="zebraword (instructions)"');
    expect(await ask(false, 'zebraword')).not.toContain('<skill name');
    // By its description it is found, and only that is quoted.
    expect(await ask(false, 'runs zebraword')).toContain('found="runs (description)"');
    expect(await ask(false, 'runs zebraword')).not.toContain('zebraword');
  });

  it('GOV-16: what another view loaded is not given from memory while the source is away (ATK-263)', async () => {
    const registry = new SkillRegistry({ skills: [ops, faq] });
    let isAway = false;
    const away = async (): Promise<SkillListing> => ({ skills: [], diagnostics: [], complete: false });
    const source: SkillProvider = wrapProvider(registry, {
      listSkills: (options) => (isAway ? away() : registry.listSkills(options)),
      getSkill: async (name, options) => (isAway ? null : await registry.getSkill(name, options)),
      readResource: async (name, path, options) => (isAway ? null : await registry.readResource(name, path, options)),
    });
    const store = new Map<string, string>();
    const contentStore = { get: (key: string) => store.get(key), set: (key: string, text: string) => void store.set(key, text) };
    const view = (names: readonly string[]) =>
      createSkillset({
        provider: selectSkills(source, ({ name }) => names.includes(name)),
        conversation: { contentStore },
        onDiagnostic: 'silent',
      });
    const state = await stateAfter(await view(['ops', 'faq']).open({}), 'ops');
    const cut: SkillState = { ...state, loaded: mapped(state) };
    isAway = true;
    const given = async (names: readonly string[]) =>
      JSON.stringify(await restoreSkills(await view(names).open({}), [{ role: 'user', entries: [] }], { state: cut }));
    expect(await given(['ops', 'faq'])).toContain('Secret body');
    expect(await given(['faq'])).not.toContain('Secret');
  });

  it('GOV-16: what a source opens ends an hour after its last answer, and its texts go on', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const registry = new SkillRegistry({ skills: [ops, faq], label: 'site' });
    const answeredAt = Date.now();
    const provider = wrapProvider(registry, {
      listSkills: async (options) => ({ ...(await registry.listSkills(options)), unconfirmed: { site: answeredAt } }),
      getSkill: (name, options) => registry.getSkill(name, options),
      readResource: (name, path, options) => registry.readResource(name, path, options),
    });
    for (const [gates, afterMs] of [
      [{ tools: ['pay'] }, 3_600_000],
      [{ tools: ['pay'], maxListingAgeMs: 60_000 }, 60_000],
    ] as const) {
      vi.setSystemTime(answeredAt);
      const skillset = createSkillset({
        provider,
        gates,
        allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
        onDiagnostic: 'silent',
      });
      const session = await skillset.open({});
      const state = await stateAfter(session, 'ops');
      const look = async () => [
        (await session.judgeCall(state, { tool: 'pay', input: {} })).decision,
        (await session.judgeCall(state, { tool: 'bash', input: {} })).decision,
        await session.model(state),
      ];
      vi.setSystemTime(answeredAt + afterMs - 1);
      expect(await look()).toEqual(['allowed', 'pre-approved', 'costly']);
      vi.setSystemTime(answeredAt + afterMs);
      expect(await look()).toEqual(['denied', 'allowed', undefined]);
      const verdict = await session.judgeCall(state, { tool: 'pay', input: {} });
      expect(verdict.decision === 'denied' && verdict.error.code).toBe('source-unavailable');
      const read = await session.tools.find(({ role }) => role === 'readFile')?.execute({ skill: 'ops', path: 'limits.md' }, { state });
      expect(read?.text).toContain('Secret file.');
    }
  });
});
