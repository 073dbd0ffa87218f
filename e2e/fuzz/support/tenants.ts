import { createSkillSearch } from '@repertoire/skill-search';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  selectSkills,
  skillAllowedTools,
  skillDiscovery,
  SkillRegistry,
  type SkillDefinition,
  type SkillMetadata,
  type SkillSession,
  type SkillState,
} from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';
import { resolveVersion } from '@repertoire/skills-core/versions';
import { seededRandom, type Random } from '../../../tools/fuzz/random.ts';

/** How a host keeps tenants apart. */
export type TenantRule = 'select' | 'selectSkills' | 'permissions';

/** What the tenant B was given in a step. */
export interface TenantStep {
  readonly step: string;
  readonly given: string;
}

type Tenant = 'A' | 'B';

const words = ['billing', 'refund', 'merger', 'payroll', 'invoice', 'report', 'audit', 'plan', 'layoff', 'salary', 'deploy', 'secret'];
const tools = ['pay', 'ship', 'scan', 'wipe'];
const steps = [
  'open',
  'load',
  'load',
  'load',
  'read',
  'read',
  'files',
  'unload',
  'list',
  'search',
  'invoke',
  'judge',
  'restore',
  'host',
  'active',
  'visible',
  'instructions',
  'claim',
  'claimed file',
] as const;

/**
 * One program of a tenant, in two worlds: where another tenant has skills of its own and works at
 * the same time, and where neither is there. The program guesses the names, versions and files of
 * those skills, and claims to have loaded them. What it is given must be the same bytes in both.
 *
 * @returns the steps that differ; none if the seed makes no hidden skill
 */
export async function tenantDifferences(
  seed: number,
  rule: TenantRule,
): Promise<{ readonly alone: TenantStep; readonly beside: TenantStep }[]> {
  const random = seededRandom(seed);
  const skills = library(random);
  const host = hostOf(random);
  const program = random.below(2 ** 31);
  const claimed = await allLoaded(skills);
  const [beside, alone] = [
    await play(skills, { host, rule, program, skills, claimed, isBeside: true }),
    await play(skills.filter(seenBy('B')), { host, rule, program, skills, claimed, isBeside: false }),
  ];
  return beside.flatMap((step, index) => {
    const other = alone[index];
    return other !== undefined && other.given === step.given ? [] : [{ beside: step, alone: other ?? { step: 'none', given: '' } }];
  });
}

function library(random: Random): SkillDefinition[] {
  const names = new Set<string>();
  for (let left = 3 + random.below(8); left > 0; left -= 1) {
    names.add(`${random.pick(words)}-${random.pick(words)}${random.below(5) < 2 ? `-${left}` : ''}`);
  }
  return [...names].flatMap((name) => {
    const versions = random.below(3) === 0 ? ['1.0.0', '2.0.0', '1.5.0'].slice(0, 1 + random.below(3)) : [undefined];
    return versions.map((version) => {
      const owner = random.pick(['A', 'B', 'both', 'A', 'both']);
      const one = (chance: number): boolean => random.below(100) < chance;
      return {
        name,
        description: `${random.pick(words)} ${random.pick(words)} ${random.below(1e6)}.`,
        version,
        body: `BODY ${owner} ${random.below(1e9)} $ARGUMENTS`,
        resources: one(60)
          ? { [`${random.pick(words)}.md`]: `FILE ${owner} ${random.below(1e9)}`, [`refs/${random.pick(words)}.md`]: 'x' }
          : {},
        metadata: { owner },
        ...(one(50) && { tools: [random.pick(tools)] }),
        ...(one(20) && { disableModelInvocation: true }),
        ...(one(15) && { userInvocable: false }),
        ...(one(20) && { whenToUse: random.pick(words) }),
        ...(one(15) && { allowedTools: ['Read', random.pick(tools)] }),
        ...(one(10) && { model: 'small' }),
      };
    });
  });
}

function hostOf(random: Random) {
  return {
    twoSources: random.below(5) < 2,
    secondIsTrusted: random.below(2) === 0,
    search: random.below(5) < 2,
    options: {
      surface: {
        tools: random.pick(['full', 'progressive'] as const),
        instructions: random.below(7) === 0 ? ('with-catalog' as const) : ('tool-result' as const),
      },
      allowedTools: random.below(5) === 0 ? skillAllowedTools({ policy: 'restrict' }) : undefined,
      conversation: { activation: random.below(7) === 0 ? ('single' as const) : ('cumulative' as const) },
      catalog: { format: random.pick(['xml', 'markdown', 'json'] as const), ...(random.below(3) === 0 && { maxTokens: 200 }) },
    },
  };
}

interface Play {
  readonly host: ReturnType<typeof hostOf>;
  readonly rule: TenantRule;
  readonly program: number;
  /** All skills that B guesses, hidden ones among them. */
  readonly skills: readonly SkillDefinition[];
  readonly claimed: SkillState;
  readonly isBeside: boolean;
}

async function play(present: readonly SkillDefinition[], { host, rule, program, skills, claimed, isBeside }: Play): Promise<TenantStep[]> {
  const names = [...new Set(skills.map(({ name }) => name))];
  const source = (half: number) =>
    new SkillRegistry({
      skills: present.filter(({ name }) => !host.twoSources || names.indexOf(name) % 2 === half),
      label: half === 0 ? 'own' : 'second',
      trusted: half === 0 || host.secondIsTrusted,
    });
  const all = host.twoSources ? composeProviders([source(0), source(1)]) : source(0);
  const sees = (skill: SkillMetadata, tenant: Tenant): boolean => seenBy(tenant)(skill);
  const skillsetFor = (tenant: Tenant) => {
    const provider = rule === 'selectSkills' ? selectSkills(all, (skill) => sees(skill, tenant)) : all;
    return createSkillset<Tenant>({
      ...host.options,
      provider,
      resolveVersion,
      gates: { tools },
      ...(rule === 'select' && { audience: { select: sees } }),
      ...(rule === 'permissions' && { audience: { permissions: ({ skill, context }) => sees(skill, context) } }),
      ...(host.search && { discovery: skillDiscovery(createSkillSearch(provider)) }),
    });
  };
  const ofB = skillsetFor('B');
  const ofA = rule === 'selectSkills' ? skillsetFor('A') : ofB;
  const random = seededRandom(program);
  const hidden = skills.filter((skill) => !seenBy('B')(skill));
  const workOfA = async (): Promise<void> => {
    const session = await ofA.open({ context: 'A' });
    for (const { name, version, resources = {} } of hidden.slice(0, 2)) {
      await use(session, 'load', { name, version });
      await use(session, 'readFile', { skill: name, path: Object.keys(resources)[0] ?? 'none' });
    }
  };
  const given: TenantStep[] = [];
  let session = await ofB.open({ context: 'B', availableTools: [] });
  let state = emptySkillState;
  const record = (step: string, value: unknown): number => given.push({ step, given: JSON.stringify(value) ?? '' });
  for (let left = 14 + random.below(14); left > 0; left -= 1) {
    const step = given.length === 0 ? 'open' : random.pick(steps);
    const name = spelling(random, random.pick(names));
    const version = random.pick([undefined, undefined, undefined, '1.0.0', '2.0.0', '^1', '*', '9.9.9']);
    const path = random.pick(skills.flatMap(({ resources = {} }) => [...Object.keys(resources), 'none.md', 'SKILL.md']));
    const tool = random.pick(tools);
    const query = `${random.pick(words)} ${random.pick(words)}`;
    const [reader, lister] = [random.pick(['readFile', 'loadResource', 'loadAsset']), random.pick(['listResources', 'listAssets'])];
    const atOnce = random.below(5);
    if (isBeside && atOnce === 1) await workOfA();
    const meanwhile = isBeside && atOnce === 2 ? workOfA() : undefined;
    if (step === 'open') {
      session = await ofB.open({ context: 'B', availableTools: [] });
      const { catalog, kept } = session;
      record(step, [
        catalog.text,
        catalog.toolText,
        catalog.skills,
        catalog.cut,
        kept,
        session.tools.map(({ role, name: called, description, inputSchema }) => [role, called, description, inputSchema]),
      ]);
    } else if (step === 'load') {
      const { text, error, events } = await use(session, 'load', { name, version, arguments: 'x $1' }, state);
      state = session.apply(state, events);
      record(step, [text, events, error?.code, error?.message]);
    } else if (step === 'read') record(step, (await use(session, reader, { skill: name, path }, state)).text);
    else if (step === 'claimed file') record(step, (await use(session, reader, { skill: name, path }, claimed)).text);
    else if (step === 'files') record(step, (await use(session, lister, { skill: name }, state)).text);
    else if (step === 'unload') {
      const { text, events } = await use(session, 'unload', { name }, state);
      state = session.apply(state, events);
      record(step, text);
    } else if (step === 'list') record(step, (await use(session, random.pick(['list', 'load']), { list_skills: true }, state)).text);
    else if (step === 'search') record(step, (await use(session, 'search', { query, limit: 3 }, state)).text);
    else if (step === 'invoke') {
      const result = await session.invoke(`/${name.replace(/^\//, '')} a b`, { state });
      if (result !== null) state = session.apply(state, result.events);
      record(step, result?.text);
    } else if (step === 'judge') record(step, [await session.judgeCall(state, { tool, input: {} }), session.openedBy(tool)]);
    // Under `restrict`, what a client claims to have loaded and is not there forbids more, which
    // grants nothing.
    else if (step === 'claim')
      record(step, host.options.allowedTools?.policy === 'restrict' ? '' : await session.judgeCall(claimed, { tool, input: {} }));
    else if (step === 'restore') record(step, await restoreSkills(session, [{ role: 'user', entries: [], tokens: 1 }], { state: claimed }));
    else if (step === 'host') {
      const { text, events } = await session.load({ name, version }, { state });
      state = session.apply(state, events);
      record(step, text);
    } else if (step === 'active') record(step, [(await session.active(claimed)).map((skill) => skill.name), await session.model(state)]);
    else if (step === 'visible') record(step, await session.visibleTools([...tools, 'other'], state));
    else record(step, [session.instructions('base'), await session.activeInstructions(claimed)]);
    await meanwhile;
  }
  return given;
}

function seenBy(tenant: Tenant): (skill: Pick<SkillDefinition, 'metadata'>) => boolean {
  return ({ metadata }) => metadata?.['owner'] === tenant || metadata?.['owner'] === 'both';
}

async function use(session: SkillSession, role: string, input: unknown, state: SkillState = emptySkillState) {
  const tool = session.tools.find((one) => one.role === role);
  return tool === undefined ? { text: 'no such tool', events: [], error: undefined } : await tool.execute(input, { state });
}

function spelling(random: Random, name: string): string {
  return random.pick([
    name,
    name,
    name,
    name.toUpperCase(),
    `/${name}`,
    name.slice(0, -1),
    `${name}s`,
    name.replace('-', '_'),
    name.split('-')[0] ?? name,
    `code:${name}`,
    `own:${name}`,
    `second:${name}`,
  ]);
}

/** The state of a conversation that may see everything, as a client would claim it. */
async function allLoaded(skills: readonly SkillDefinition[]): Promise<SkillState> {
  const session = await createSkillset({ provider: new SkillRegistry({ skills, label: 'own' }) }).open();
  let state = emptySkillState;
  for (const { name } of skills) state = session.apply(state, (await session.load({ name }, { state })).events);
  return state;
}
