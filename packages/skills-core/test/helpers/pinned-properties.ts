import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyStep, anyTelling, markOf, marksIn, World, worldNames, type WorldMoment, type WorldStep } from './pinned-worlds.ts';

/** One conversation of an agent on a world. What cannot be done answers a text without marks. */
export interface PinnedConversation {
  load(name: string): Promise<string>;
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
  /** All that this process remembers besides the stored state is gone. */
  forget(): Promise<void>;
  /**
   * Everything that the model was given in the last request, where a framework makes the requests.
   */
  readonly shown?: string | undefined;
  /** Loads stand in the messages alone, so what left the context is no longer loaded. */
  readonly isMessagesOnly?: boolean | undefined;
}

const refunds = { name: 'refunds' } as const;

/** Programs that random ones seldom are, over sources that ignore what they are asked for. */
const examples: WorldStep[][] = [
  // The bytes of a file change, and the list of files is remembered.
  [
    { do: 'load', ...refunds },
    { do: 'edit-file', ...refunds, source: 0 },
    { do: 'read', ...refunds },
  ],
  // Nothing is remembered: what the source has now is another content.
  [{ do: 'load', ...refunds }, { do: 'edit', ...refunds, source: 0 }, { do: 'forget' }, { do: 'restored' }],
  [{ do: 'load', ...refunds }, { do: 'edit-file', ...refunds, source: 0 }, { do: 'forget' }, { do: 'read', ...refunds }],
];

/**
 * Without a load at the beginning, half of the steps of a program would have nothing to be about.
 */
const anyProgram = fc
  .tuple(fc.boolean(), fc.array(anyStep, { minLength: 4, maxLength: 24, size: 'max' }))
  .map(([isLoaded, steps]): WorldStep[] => (isLoaded ? [{ do: 'load', ...refunds }, ...steps] : steps));

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
  describe(`${host}: what was loaded is pinned`, () => {
    it('PIN-1, PIN-2: whatever its sources do, a conversation gets the content that it loaded, or nothing, and no gate opens on another (ATK-200)', async () => {
      const seen = { loads: 0, reads: 0, runs: 0, restores: 0, paid: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(anyProgram, anyTelling, async (steps, telling) => {
          const world = new World(telling);
          const conversation = await begin(world);
          isMessagesOnly = conversation.isMessagesOnly === true;
          await playSteps(world, conversation, steps, seen);
        }),
        { seed: 30, numRuns, examples: examples.map((steps) => [steps, 'ignores-options']) },
      );
      // The programs do reach what they are about.
      for (const [what, count] of Object.entries(seen)) {
        if (what !== 'restores' || !isMessagesOnly) expect(count, what).toBeGreaterThan(numRuns / 20);
      }
    }, 300_000);
  });
}

async function playSteps(
  world: World,
  conversation: PinnedConversation,
  steps: readonly WorldStep[],
  seen: Record<'loads' | 'reads' | 'runs' | 'restores' | 'paid' | 'refused', number>,
): Promise<void> {
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
  for (const step of steps) {
    // A durable run goes on with what it began with, whatever changes while its process is dead.
    const before = world.snapshot();
    switch (step.do) {
      case 'load': {
        const text = await conversation.load(step.name);
        const loaded = givenBy([world, before], step.name, text);
        if (loaded === undefined) break;
        seen.loads += 1;
        given.set(step.name, loaded);
        break;
      }
      case 'unload':
        if (await conversation.unload(step.name)) given.delete(step.name);
        break;
      case 'read': {
        for (const path of ['guide.md', 'extra.md']) {
          const marks = marksIn(await conversation.read(step.name, path));
          const pinned = given.get(step.name);
          if (pinned === undefined) for (const mark of marks) allowed.add(mark);
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
        expect(new Set(marks)).toEqual(new Set(marksOf(step.name, pinned)));
        break;
      }
      case 'pay': {
        const isPaid = await conversation.pay(step.name);
        seen[isPaid ? 'paid' : 'refused'] += 1;
        if (isPaid) expect(isPresent([world, before], step.name, given.get(step.name))).toBe(true);
        break;
      }
      case 'restored':
        for (const { name, text } of await conversation.restore()) {
          const pinned = given.get(name);
          for (const mark of marksIn(text)) {
            seen.restores += 1;
            // The first words of a script stand behind the instructions.
            expect(marksOf(name, pinned)).toContain(mark);
          }
        }
        if (conversation.isMessagesOnly === true) given.clear();
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
    if (await conversation.pay(name)) expect(isPresent([world, before], name, given.get(name))).toBe(true);
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

/** Whether the source has just what was given, is up, and is trusted as it was. */
function isPresent(moments: readonly WorldMoment[], name: string, pinned: Given | undefined): boolean {
  return moments.some((world) => {
    if (pinned === undefined || !pinned.trusted || !world.isTrusted(pinned.label) || !world.isUp(pinned.label)) return false;
    const there = world.skillAt(pinned.label, name);
    return there !== undefined && there.body === pinned.body && there.file === pinned.file && there.hasExtra === pinned.hasExtra;
  });
}
