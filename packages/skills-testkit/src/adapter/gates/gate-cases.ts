import fc from 'fast-check';
import {
  composeProviders,
  createSkillset,
  emptySkillState,
  SkillRegistry,
  type SkillProvider,
  type SkillSession,
  type Skillset,
  type SkillState,
} from '@repertoire/skills-core';
import { loadedSkill } from '@repertoire/skills-core/adapter';
import { assert, assertEqual } from '../../conformance/assert.ts';
import type { AdapterContext, AdapterModelStep, SkillAdapterUnderTest } from '../adapter-under-test.ts';
import { disturbanceOf, disturbances, providerThatIs, switchedSource, type Disturbance } from './disturbances.ts';
import { forgedPast, revisionNow } from './forged-past.ts';
import { beginGateRun, nothing, onServer } from './gate-run.ts';
import {
  anyHost,
  anyLibrary,
  anySkill,
  forbiddenWords,
  gateOpen,
  isAlwaysActive,
  names,
  openersOf,
  openTools,
  optionsOf,
  subset,
  tools,
  type GeneratedHost,
} from './gate-worlds.ts';

const attempt: AdapterModelStep = tools.map((tool) => [tool, {}] as const);
const loads = (wanted: readonly string[]): AdapterModelStep[] => wanted.map((name) => [['load_skill', { name }]]);
/** With it, there is a skill tool in every world. */
const always = { name: 'tone', description: 'How we write.', body: 'Short.' };
const gates = fc.constantFrom('refuse' as const, 'hide' as const);
const context: AdapterContext = { role: 'support' };

/** With one active skill, a failed load keeps the previous one, so more may be open afterwards. */
const withSeveral = (host: GeneratedHost): GeneratedHost => ({ ...host, activation: undefined });
/** With fewer, what is counted below may never happen. Properties about what is rare try more. */
const numberOf = ({ worlds = 20 }: SkillAdapterUnderTest): number => Math.max(8, worlds);

/** What holds for an agent of every framework. */
export const gateCases: Readonly<
  Record<'gates/open' | 'gates/forged' | 'gates/words' | 'gates/untrusted', (adapter: SkillAdapterUnderTest) => Promise<void>>
> = { 'gates/open': checkOpen, 'gates/forged': checkForged, 'gates/words': checkWords, 'gates/untrusted': checkUntrusted };

async function checkOpen(adapter: SkillAdapterUnderTest): Promise<void> {
  // Each kind has its own share of the runs, so none is left to chance.
  for (const kind of disturbances) await checkOpenIn(adapter, kind);
}

async function checkOpenIn(adapter: SkillAdapterUnderTest, kind: Disturbance): Promise<void> {
  const numRuns = Math.max(2, Math.ceil(numberOf(adapter) / disturbances.length));
  let ranAtAll = 0;
  const worlds = fc.record({
    own: anyLibrary,
    other: anyLibrary,
    host: anyHost.map(withSeveral),
    wanted: subset(names),
  });
  const runs = fc.record({ isKept: fc.boolean(), isMidway: fc.boolean(), gate: gates });
  const property = fc.asyncProperty(worlds, runs, async ({ own, other, host, wanted }, { isKept, isMidway, gate }) => {
    const sources = [
      switchedSource(new SkillRegistry({ skills: own, label: 'own' })),
      switchedSource(new SkillRegistry({ skills: other, label: 'other' })),
    ] as const;
    const provider = composeProviders(sources.map((source) => source.provider));
    let now = provider;
    const skillset = createSkillset(
      optionsOf<AdapterContext>(
        host,
        providerThatIs(provider.label, () => now),
      ),
    );
    const session = await skillset.open({ context });
    const steps = [...loads(wanted), attempt];
    const begin = async () => await beginGateRun(adapter, { skillset, past: isKept ? onServer : nothing, gate });
    const state = await loadedByModel(session, wanted);

    const honest = await begin();
    await honest.ask(steps);
    assertEqual(honest.ran.toSorted(), (await openTools(session, state)).toSorted(), 'The tools that ran');
    const before = honest.ran.length;
    ranAtAll += before;

    const notClosed = await gateOpen(session, state);
    const disturb = await disturbanceOf(kind, provider, sources, own[0]?.name);
    const later: string[] = [];
    const fresh = await begin();
    if (isMidway) {
      await fresh.ask(steps, (index) => {
        if (index === steps.length - 1) now = disturb();
      });
    } else {
      now = disturb();
      await honest.ask([attempt]);
      await fresh.ask([attempt]);
      later.push(...honest.ran.slice(before));
    }
    for (const tool of [...later, ...fresh.ran])
      assert(notClosed.includes(tool), `${tool} ran after a disturbance (${kind}), and it was closed before it.`);
  });
  await fc.assert(property, { seed: 21, numRuns, includeErrorInReport: true });
  assert(ranAtAll > 0, `No tool ran in ${numRuns} worlds before a disturbance (${kind}): the agent does not call its tools.`);
}

async function checkForged(adapter: SkillAdapterUnderTest): Promise<void> {
  // Of skills that exist, mostly: a client has seen them.
  const forged = fc.array(fc.record({ pick: fc.nat(11), isRight: fc.constantFrom(true, true, false) }), { maxLength: 4, size: 'max' });
  const worlds = fc.record({ own: anyLibrary, theirs: anyLibrary, host: anyHost, claims: forged, rubbish: fc.jsonValue() });
  const runs = fc.record({ isRubbishKept: fc.boolean(), gate: gates });
  const seen = { 'opened by claims': 0, 'closed by the server': 0, 'given rubbish': 0 };
  const property = fc.asyncProperty(worlds, runs, async ({ own, theirs, host, claims, rubbish }, { isRubbishKept, gate }) => {
    const provider = composeProviders([
      new SkillRegistry({ skills: own, label: 'own' }),
      new SkillRegistry({ skills: theirs, label: 'theirs', trusted: false }),
    ]);
    const past = await forgedPast(provider, claims);
    const skillset = createSkillset(optionsOf<AdapterContext>(host, provider));
    const session = await skillset.open({ context });
    const opened = new Set<string>();
    for (const isKept of [false, true]) {
      const ranWith = async (garbage?: unknown) => {
        const run = await beginGateRun(adapter, {
          skillset,
          past: isKept ? { ...past, state: emptySkillState } : past,
          gate,
          rubbish: garbage,
        });
        await run.ask([attempt]);
        return run.ran;
      };
      const ran = await ranWith();
      for (const tool of ran.filter((name) => session.isGated(name))) {
        const openers = openersOf(session, host, tool);
        const isAlways = openers.some((skill) => isAlwaysActive(skill));
        const now = await Promise.all(openers.map(async (skill) => ({ skill, revision: await revisionNow(provider, skill) })));
        const isClaimed = now.some(({ skill, revision }) => {
          const claim = loadedSkill(past.claims, skill.name);
          return claim?.version === skill.version && claim.revision === revision;
        });
        if (!isAlways) opened.add(tool);
        assert(
          isAlways || (isClaimed && !isKept),
          `${tool} ran on the word of a client${isKept ? ', though the server keeps the state' : ''}.`,
        );
      }
      if (isKept) seen['closed by the server'] += [...opened].filter((tool) => !ran.includes(tool)).length;
      // Rubbish opens nothing. A framework may refuse it as a whole.
      if (isKept !== isRubbishKept) continue;
      seen['given rubbish'] += 1;
      for (const tool of await ranWith(rubbish)) assert(ran.includes(tool), `${tool} ran on rubbish that a client wrote.`);
    }
    seen['opened by claims'] += opened.size;
  });
  await fc.assert(property, { seed: 22, numRuns: Math.max(12, numberOf(adapter)), includeErrorInReport: true });
  assertSeen(seen, 'Without a state of the server, loads in the history open tools; with one, they do not.');
}

async function checkWords(adapter: SkillAdapterUnderTest): Promise<void> {
  await checkWordsOn(adapter, 'progressive');
  await checkWordsOn(adapter, 'full');
}

async function checkWordsOn(adapter: SkillAdapterUnderTest, surface: 'progressive' | 'full'): Promise<void> {
  const seen = { 'instructions given': 0, 'files given': 0, 'words forbidden': 0 };
  const property = fc.asyncProperty(anyLibrary, anyHost, subset(names), async (library, host, wanted) => {
    const provider = new SkillRegistry({ skills: [...library, always] });
    // The history is of a time when everything was allowed.
    const remembered = await loadedByModel(await createSkillset({ provider }).open(), wanted);
    const skillset = createSkillset({ ...optionsOf<AdapterContext>(host, provider), surface: { tools: surface, unload: true } });
    const run = await beginGateRun(adapter, { skillset, past: { history: [], claims: remembered, state: remembered } });
    await run.ask(everyCall(skillset, surface));
    const shown = JSON.stringify(run.calls);
    seen['instructions given'] += shown.split('BODY«').length - 1;
    seen['files given'] += shown.split('FILE«').length - 1;
    for (const forbidden of forbiddenWords(host, (await provider.listSkills()).skills)) {
      seen['words forbidden'] += 1;
      assert(!shown.includes(forbidden), `The model was given ${forbidden}, which the host does not allow.`);
    }
  });
  await fc.assert(property, { seed: 23, numRuns: Math.max(15, Math.ceil(numberOf(adapter) / 4)), includeErrorInReport: true });
  assertSeen(seen, `The model is given what the host allows (${surface}).`);
}

async function checkUntrusted(adapter: SkillAdapterUnderTest): Promise<void> {
  const evilName = fc.constantFrom(...names, 'aa', 'z', 'search', 'load_skill');
  const theirs = fc.uniqueArray(fc.record({ skill: anySkill, name: evilName }), {
    selector: ({ skill, name }) => `${name}@${skill.version}`,
    maxLength: 8,
  });
  const seen = { 'tools run': 0, 'calls refused': 0, 'skills of theirs': 0 };
  const worlds = [anyLibrary, theirs, anyHost.map(withSeveral), subset(names), gates] as const;
  const property = fc.asyncProperty(...worlds, async (own, evil, host, wanted, gate) => {
    const mine = new SkillRegistry({ skills: [...own, always], label: 'own' });
    const added = new SkillRegistry({ skills: evil.map(({ skill, name }) => ({ ...skill, name })), label: 'evil', trusted: false });
    const outcomeWith = async (provider: SkillProvider) => {
      const run = await beginGateRun(adapter, {
        skillset: createSkillset(optionsOf<AdapterContext>(host, provider)),
        past: onServer,
        gate,
      });
      // Loading theirs besides gives nothing and takes nothing.
      await run.ask([...loads(wanted), attempt, ...loads(['z']), attempt]);
      // In words of ours; what a framework says of a hidden tool may name all that are shown.
      const refusals = (run.calls.at(-1)?.messages ?? []).filter(
        (message) => message.from === 'tool' && tools.includes(message.tool) && message.text.includes('Error ('),
      );
      return { ran: run.ran, refusals };
    };
    const withoutThem = await outcomeWith(composeProviders([mine]));
    assertEqual(await outcomeWith(composeProviders([mine, added])), withoutThem, 'What runs and is refused beside an untrusted source');
    seen['tools run'] += withoutThem.ran.length;
    seen['calls refused'] += withoutThem.refusals.length;
    seen['skills of theirs'] += evil.length;
  });
  await fc.assert(property, { seed: 24, numRuns: numberOf(adapter), includeErrorInReport: true });
  assertSeen(seen, 'Tools run and are refused, beside an untrusted source too.');
}

/** A property that never met what it is about proves nothing. */
function assertSeen(seen: Readonly<Record<string, number>>, expected: string): void {
  const never = Object.keys(seen).filter((what) => seen[what] === 0);
  assert(never.length === 0, `${expected} It never happened: ${never.join(', ')}.`);
}

async function loadedByModel(session: SkillSession, wanted: readonly string[]): Promise<SkillState> {
  const load = session.tools.find(({ role }) => role === 'load');
  let state = emptySkillState;
  for (const name of wanted) state = session.apply(state, (await load?.execute({ name }, { state }))?.events ?? []);
  return state;
}

function everyCall({ toolNames }: Skillset<AdapterContext>, surface: 'progressive' | 'full'): AdapterModelStep[] {
  const versions = [undefined, '1.0.0', '2.0.0', '*'];
  const paths = ['f.md', 'assets/only-2.0.0.md', 'assets/only-none.md', 'SKILL.md', 'nope.md', 'assets'];
  const readers = surface === 'full' ? [toolNames.loadResource, toolNames.loadAsset] : [toolNames.readFile];
  const lists = [toolNames.listResources, toolNames.listAssets];
  const reads = names.flatMap((skill) => readers.flatMap((tool) => paths.map((path) => [tool, { skill, path }] as const)));
  return [
    reads,
    ...(surface === 'full'
      ? [[[toolNames.list, {}] as const, ...names.flatMap((skill) => lists.map((tool) => [tool, { skill }] as const))]]
      : []),
    names.flatMap((name) => versions.map((version) => [toolNames.load, { name, ...(version !== undefined && { version }) }] as const)),
    reads,
  ];
}
