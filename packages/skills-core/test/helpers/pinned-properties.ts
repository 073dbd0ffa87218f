import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyApprovedStep,
  anyStep,
  anyTelling,
  markOf,
  marksIn,
  World,
  worldNames,
  type WorldMoment,
  type WorldSkill,
  type WorldStep,
} from './pinned-worlds.ts';

/** One conversation of an agent on a world. What cannot be done answers a text without marks. */
export interface PinnedConversation {
  load(name: string): Promise<string>;
  /**
   * Loads it in several calls of one answer of the model, while another process, in which nothing
   * is loaded, loads it for the same conversation.
   */
  loadAtOnce(name: string): Promise<{ readonly own: readonly string[]; readonly other: readonly string[] }>;
  /** Whether it is no longer loaded. */
  unload(name: string): Promise<boolean>;
  read(name: string, path: string): Promise<string>;
  /** All files that a runner gets, as one text; empty if it gets none. */
  run(name: string): Promise<string>;
  /** Calls the gated tool of a skill; whether it ran. */
  pay(name: string): Promise<boolean>;
  /**
   * The texts that are restored for the next model call, after all of them left the context. By
   * name of the skill.
   */
  restore(): Promise<readonly { readonly name: string; readonly text: string }[]>;
  /** The process ends here, and another one goes on with what was stored. */
  resume(): Promise<void>;
  /** A client says that what is loaded under a name has another one. @default nobody can say so */
  claim?(from: string, to: string): Promise<void>;
  /** What a bridge serves of a skill, as one text; empty if nothing. */
  bridge(name: string): Promise<string>;
  /** All that this process remembers besides the stored state is gone. */
  forget(): Promise<void>;
  /**
   * What the agent of a fork was given in the last load. It answers with just that, as an agent may.
   */
  readonly forked: string;
  /**
   * Everything that the model was given in the last request, where a framework makes the requests.
   */
  readonly shown?: string | undefined;
  /** Loads stand in the messages alone, so what left the context is no longer loaded. */
  readonly isMessagesOnly?: boolean | undefined;
}

const refunds = { name: 'refunds' } as const;
const research = { name: 'research' } as const;
const invoices = { name: 'invoices' } as const;

/** Programs that random ones seldom are, over sources that ignore what they are asked for. */
const examples: WorldStep[][] = [
  // The bytes of a file change, and the list of files is remembered.
  [
    { do: 'load', ...refunds },
    { do: 'permit', ...refunds },
    { do: 'pay', ...refunds },
    { do: 'permit', ...refunds },
    { do: 'pay', ...refunds },
    { do: 'run', ...refunds },
    { do: 'read', ...refunds },
    { do: 'restored' },
    { do: 'bridge', ...refunds },
    { do: 'load', ...refunds },
    { do: 'edit-file', ...refunds, source: 0 },
    { do: 'read', ...refunds },
  ],
  // Nothing is remembered: what the source has now is another content.
  [{ do: 'load', ...refunds }, { do: 'edit', ...refunds, source: 0 }, { do: 'forget' }, { do: 'restored' }],
  [
    { do: 'load', ...refunds },
    { do: 'edit-file', ...refunds, source: 0 },
    { do: 'forget' },
    { do: 'read', ...refunds },
    // A client gives the name to another one, which has no gate of this one.
    { do: 'load', ...refunds },
    { do: 'claim', ...refunds },
    { do: 'pay', ...refunds },
  ],
  // What was forked is not loaded. Without trust it is loaded like others, and may be forked later.
  [
    { do: 'load', ...research },
    { do: 'pay', ...research },
    { do: 'trust', source: 0 },
    { do: 'load', ...research },
    { do: 'read', ...research },
    { do: 'trust', source: 0 },
    { do: 'pay', ...research },
    { do: 'load', ...research },
  ],
];

/** The same where people are asked. */
const askedExamples: WorldStep[][] = [
  // A yes for one load, and three that want it at once; then three others, which need another yes.
  [
    { do: 'load-at-once', ...invoices },
    { do: 'approve-once', ...invoices },
    { do: 'load-at-once', ...invoices },
    { do: 'read', ...invoices },
    { do: 'unload', ...invoices },
    { do: 'load-at-once', ...invoices },
    { do: 'approve-once', ...invoices },
    { do: 'load-at-once', ...invoices },
    { do: 'read', ...invoices },
  ],
];

/**
 * Without a load at the beginning, half of the steps of a program would have nothing to be about.
 */
const programOf = (step: fc.Arbitrary<WorldStep>, ...begins: readonly (readonly WorldStep[])[]) =>
  fc
    .tuple(fc.constantFrom(...begins), fc.array(step, { minLength: 4, maxLength: 24, size: 'max' }))
    .map(([begin, steps]): WorldStep[] => [...begin, ...steps]);
const beginLoaded: readonly WorldStep[] = [{ do: 'load', ...refunds }];
const [beginApproved, beginAtOnce] = (
  [
    ['load', 'approve', 'load'],
    ['load', 'approve-once', 'load-at-once'],
  ] as const
).map((steps) => steps.map((what): WorldStep => ({ do: what, ...invoices })));

/** What a conversation was given at a load. */
interface Given {
  readonly label: string;
  readonly body: number;
  readonly file: number;
  readonly hasExtra: boolean;
  readonly trusted: boolean;
}

/**
 * The promise, for every host: no byte beyond level 1 of a loaded skill reaches a model or a runner
 * that is not of the content that this conversation loaded from the source it loaded it from, and
 * no gate opens otherwise.
 */
export function testPinnedProperties(host: string, begin: (world: World) => Promise<PinnedConversation>, numRuns: number): void {
  let isMessagesOnly = false;
  const seen = {
    loads: 0,
    reads: 0,
    runs: 0,
    restores: 0,
    paid: 0,
    refused: 0,
    served: 0,
    approved: 0,
    claimed: 0,
    forks: 0,
    onces: 0,
    steps: 0,
  };
  describe(`${host}: what was loaded is pinned`, () => {
    it.each([
      ['whatever its sources, its permissions and its clients do', false, Math.ceil(numRuns * 0.6)],
      ['where people approve what has no trust, and their answers get lost', true, Math.ceil(numRuns * 0.4)],
    ])(
      'PIN-1, PIN-2: %s, a conversation gets the content that it loaded, or nothing, and no gate opens on another (ATK-200)',
      async (_where, asksPeople, runs) => {
        await fc.assert(
          fc.asyncProperty(
            asksPeople ? programOf(anyApprovedStep, [], beginApproved!, beginAtOnce!) : programOf(anyStep, [], beginLoaded),
            anyTelling,
            async (steps, telling) => {
              const world = new World(telling, asksPeople);
              const conversation = await begin(world);
              isMessagesOnly = conversation.isMessagesOnly === true;
              await playSteps(world, conversation, steps, { seen, asksPeople });
            },
          ),
          { seed: 30, numRuns: runs, examples: (asksPeople ? askedExamples : examples).map((steps) => [steps, 'ignores-options']) },
        );
      },
      300_000,
    );

    it('PIN-1, PIN-2: these programs reach what they are about', () => {
      const unreached = [...(isMessagesOnly ? ['restores'] : []), 'approved', 'claimed'];
      const rare = Object.entries(seen).filter(([what, count]) => !unreached.includes(what) && count <= numRuns / 20);
      expect(rare).toEqual([]);
    });
  });
}

type Seen = Record<
  'loads' | 'reads' | 'runs' | 'restores' | 'paid' | 'refused' | 'served' | 'approved' | 'claimed' | 'forks' | 'onces' | 'steps',
  number
>;

async function playSteps(
  world: World,
  conversation: PinnedConversation,
  steps: readonly WorldStep[],
  { seen, asksPeople }: { readonly seen: Seen; readonly asksPeople: boolean },
): Promise<void> {
  /** Contents that somebody said yes to, with the name of their skill. */
  const said = new Map<string, string>();
  /** Those of them that it said yes to for good, and those for one load that nobody made yet. */
  const remembered = new Set<string>();
  const waiting = new Set<string>();
  /** What may be shown of a content now: by who may load it, and by what people said. */
  const expectOpen = async (name: string, held: WorldSkill & { readonly label: string }): Promise<void> => {
    expect([...world.denied]).not.toContain(name);
    if (!asksPeople || world.isTrusted(held.label)) return;
    expect(world.isStoreFailing).toBe(false);
    expect([...said.keys()]).toContain(await world.contentOf(held.label, name, held));
  };
  const isPresent = (moments: readonly WorldMoment[], name: string, held: Given | undefined) => isThere(moments, name, held, asksPeople);
  const given = new Map<string, Given>();
  const allowed = new Set<string>();
  /**
   * Whatever a framework puts into a request, also of its own accord, is of what was loaded or
   * read.
   */
  const assertShown = (): void => {
    for (const [name, pinned] of given) for (const mark of marksOf(name, pinned)) allowed.add(mark);
    for (const mark of marksIn(conversation.shown ?? '')) expect(allowed).toContain(mark);
  };
  const expectPaid = async (name: string, before: WorldMoment): Promise<void> => {
    const pinned = given.get(name);
    expect(isPresent([world, before], name, pinned)).toBe(true);
    await expectOpen(name, pinned!);
  };
  /** Of loads at once that rest on a yes for one load, one gets it. */
  const expectTaken = async (name: string, texts: readonly string[], moments: readonly WorldMoment[]): Promise<void> => {
    for (const text of texts) {
      const loaded = givenBy(moments, name, text);
      if (loaded === undefined || loaded.trusted || !asksPeople || marksIn(text).length === 0) continue;
      const content = await world.contentOf(loaded.label, name, loaded);
      if (remembered.has(content)) continue;
      expect([...waiting]).toContain(content);
      waiting.delete(content);
      seen.onces += 1;
    }
  };
  /** An agent of its own is given what is there now and has trust, and only if it may be loaded. */
  const expectForked = (name: string, moments: readonly WorldMoment[]): void => {
    for (const mark of marksIn(conversation.forked)) {
      seen.forks += 1;
      expect([...world.denied]).not.toContain(name);
      const [label = ''] = mark.slice(1).split('/');
      const there = moments.filter((moment) => moment.isTrusted(label)).map((moment) => moment.skillAt(label, name));
      expect(there.flatMap((skill) => marksOf(name, skill && { label, ...skill, trusted: true }))).toContain(mark);
      allowed.add(mark);
    }
  };
  for (const step of steps) {
    seen.steps += 1;
    // A durable run goes on with what it began with, whatever changes while its process is dead.
    const before = world.snapshot();
    switch (step.do) {
      case 'load': {
        const text = await conversation.load(step.name);
        expectForked(step.name, [world, before]);
        // Its agent answered with what looks like a load, and nothing is loaded.
        if (conversation.forked !== '') break;
        const loaded = givenBy([world, before], step.name, text);
        if (loaded === undefined) break;
        if (!given.has(step.name)) await expectTaken(step.name, [text], [world, before]);
        seen.loads += 1;
        await expectOpen(step.name, loaded);
        given.set(step.name, loaded);
        break;
      }
      case 'load-at-once': {
        world.isStoreSlow = true;
        const { own, other } = await conversation.loadAtOnce(step.name);
        world.isStoreSlow = false;
        expectForked(step.name, [world, before]);
        if (conversation.forked !== '') break;
        await expectTaken(step.name, given.has(step.name) ? other : [...own, ...other], [world, before]);
        for (const [index, text] of [...own, ...other].entries()) {
          const loaded = givenBy([world, before], step.name, text);
          if (loaded === undefined) continue;
          seen.loads += 1;
          await expectOpen(step.name, loaded);
          if (index < own.length) given.set(step.name, loaded);
        }
        break;
      }
      case 'unload':
        if (await conversation.unload(step.name)) given.delete(step.name);
        break;
      case 'read': {
        for (const path of ['guide.md', 'extra.md']) {
          const marks = marksIn(await conversation.read(step.name, path));
          const pinned = given.get(step.name);
          for (const mark of marks) {
            const [label = '', skill] = mark.slice(1).split('/');
            expect(skill).toBe(step.name);
            await expectOpen(step.name, pinned ?? { label, ...world.skillAt(label, step.name)! });
            if (pinned === undefined) allowed.add(mark);
          }
          if (pinned === undefined || marks.length === 0) continue;
          seen.reads += 1;
          expect(marks).toEqual([markOf(pinned.label, step.name, 'file', pinned.file)]);
          // A file that came later is no file of what was loaded.
          expect(path === 'guide.md' || pinned.hasExtra).toBe(true);
        }
        break;
      }
      case 'run': {
        const marks = marksIn(await conversation.run(step.name));
        if (marks.length === 0) break;
        seen.runs += 1;
        const pinned = given.get(step.name);
        // Nothing runs of what was not loaded, nor of what changed, nor without trust.
        expect(pinned).toBeDefined();
        await expectOpen(step.name, pinned!);
        expect(new Set(marks)).toEqual(new Set(marksOf(step.name, pinned)));
        expect(isPresent([world, before], step.name, pinned)).toBe(true);
        break;
      }
      case 'run-while-edited': {
        world.changeAtNextRead({ do: 'edit-file', name: step.name, source: step.source });
        const marks = marksIn(await conversation.run(step.name));
        world.changeAtNextRead(undefined);
        const pinned = given.get(step.name);
        // Old and new files never run together.
        if (marks.length === 0) break;
        seen.runs += 1;
        await expectOpen(step.name, pinned!);
        expect(new Set(marks)).toEqual(new Set(marksOf(step.name, pinned)));
        break;
      }
      case 'pay': {
        const isPaid = await conversation.pay(step.name);
        seen[isPaid ? 'paid' : 'refused'] += 1;
        if (isPaid) await expectPaid(step.name, before);
        break;
      }
      case 'restored':
        for (const { name, text } of await conversation.restore()) {
          const pinned = given.get(name);
          for (const mark of marksIn(text)) {
            seen.restores += 1;
            await expectOpen(name, pinned!);
            // The first words of a script stand behind the instructions.
            expect(marksOf(name, pinned)).toContain(mark);
          }
        }
        if (conversation.isMessagesOnly === true) given.clear();
        break;
      case 'permit':
        if (!world.denied.delete(step.name)) world.denied.add(step.name);
        break;
      case 'claim': {
        // What was loaded under this name is there under none: the listing gives it another than the client does.
        const [other = ''] = worldNames.filter((name) => name !== step.name);
        if (conversation.claim === undefined || !given.has(step.name)) break;
        seen.claimed += 1;
        await conversation.claim(step.name, other);
        given.delete(step.name);
        given.delete(other);
        break;
      }
      case 'bridge':
        for (const mark of marksIn(await conversation.bridge(step.name))) {
          const [label = '', skill] = mark.slice(1).split('/');
          const there = world.skillAt(label, step.name);
          seen.served += 1;
          expect(skill).toBe(step.name);
          expect(marksOf(step.name, there && { label, ...there, trusted: false })).toContain(mark);
          await expectOpen(step.name, { label, ...there! });
        }
        break;
      case 'approve':
      case 'approve-once':
        for (const content of await world.answer(step.name, step.do === 'approve' ? 'content' : 'once')) {
          seen.approved += 1;
          said.set(content, step.name);
          (step.do === 'approve' ? remembered : waiting).add(content);
        }
        break;
      case 'refuse':
        for (const content of await world.answer(step.name, 'never')) {
          const [label] = content.split(' ');
          for (const [key, name] of said) {
            if (name !== step.name || !key.startsWith(`${label} `)) continue;
            for (const yeses of [said, remembered, waiting]) yeses.delete(key);
          }
        }
        break;
      case 'store-fails':
        world.isStoreFailing = !world.isStoreFailing;
        break;
      case 'store-lost':
        world.loseStore();
        for (const yeses of [said, remembered, waiting]) yeses.clear();
        break;
      case 'resume':
        await conversation.resume();
        break;
      case 'forget':
        await conversation.forget();
        break;
      default:
        world.change(step);
    }
    assertShown();
  }
  for (const name of worldNames) {
    const before = world.snapshot();
    if (await conversation.pay(name)) await expectPaid(name, before);
  }
}

/** The marks of all that was loaded. */
function marksOf(name: string, pinned: Given | undefined): string[] {
  return pinned === undefined ? [] : [markOf(pinned.label, name, 'body', pinned.body), markOf(pinned.label, name, 'file', pinned.file)];
}

/**
 * Which content a load gave, of what there was or is; `undefined` if it gave none. A text that
 * stands already is given by one line.
 */
function givenBy(moments: readonly WorldMoment[], name: string, text: string): Given | undefined {
  if (text.startsWith('Error')) return undefined;
  const label = /source="([^"]*)"/.exec(text)?.[1];
  const [mark] = marksIn(text);
  if (label === undefined) return undefined;
  for (const world of moments) {
    const there = world.skillAt(label, name);
    if (there === undefined || (mark !== undefined && mark !== markOf(label, name, 'body', there.body))) continue;
    return { label, ...there, trusted: world.isTrusted(label) };
  }
  throw new Error(`A load of ${name} gave what ${label} does not have: ${mark}.`);
}

/**
 * Whether the source has just what was given, is up, and is trusted as it was.
 *
 * @param asksPeople whether what has no trust may open something, too
 */
function isThere(moments: readonly WorldMoment[], name: string, pinned: Given | undefined, asksPeople: boolean): boolean {
  return moments.some((world) => {
    if (pinned === undefined || !(pinned.trusted || asksPeople)) return false;
    if (world.isTrusted(pinned.label) !== pinned.trusted || !world.isUp(pinned.label)) return false;
    const there = world.skillAt(pinned.label, name);
    return there !== undefined && there.body === pinned.body && there.file === pinned.file && there.hasExtra === pinned.hasExtra;
  });
}
