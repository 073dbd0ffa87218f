import type { DurableEngine } from '@repertoire/skill-workflow/agent';

/** What is outside of a run and outlives its process. */
export interface World {
  /** Writes a line into the ledger of the run. */
  note(what: string, bytes?: string): Promise<void>;
  /** Acts in the world, once for each key, as a service with idempotency keys does. */
  act(key: string): Promise<void>;
  /** Never returns at the place where the process is to be killed. */
  hold(place: string): Promise<void>;
}

/** The steps of a run, in order; those of one group run at the same time. */
export type StepGroups = readonly (readonly string[])[];

/** The steps of the agent's run. The first call of `charge` is refused by its gate, and is no step. */
const agentSteps: StepGroups = [
  ['skills'],
  ['model'],
  ['model#2'],
  ['call 1-load_skill'],
  ['model#3'],
  ['call 2-charge', 'call 2-mail', 'call 2-read_skill_file'],
  ['model#4'],
];
/** Every place at which a run can be killed: within a step, when it has acted and is not recorded; and behind it. */
export function placesOf(groups: StepGroups): readonly string[] {
  return groups.flat().flatMap((step) => [`in ${step}`, `behind ${step}`]);
}
export const places: readonly string[] = placesOf(agentSteps);

/** An engine whose steps write what they do into the ledger, and can be killed. */
export function watchedEngine(engine: DurableEngine, world: World): DurableEngine {
  return {
    ...engine,
    async runStep(id, work) {
      const value = await engine.runStep(id, async (signal) => {
        await world.note(`begin ${id}`);
        const result = await work(signal);
        await world.hold(`in ${id}`);
        return result;
      });
      await world.note(`end ${id}`);
      await world.hold(`behind ${id}`);
      return value;
    },
  };
}

/** Whether a run that is held has nothing else under way, so that it is known what is recorded. */
export function isSettled(place: string, notes: readonly string[], groups: StepGroups = agentSteps): boolean {
  const step = place.slice(place.indexOf(' ') + 1);
  const until = groups.findIndex((group) => group.includes(step));
  const done = groups.slice(0, until + 1).flat();
  const isHeldIn = place.startsWith('in ');
  return (
    notes.includes(`held ${place}`) && done.every((each) => notes.includes(each === step && isHeldIn ? `begin ${each}` : `end ${each}`))
  );
}

/** What a ledger tells of a run. */
export interface RunRecord {
  /** How often each step began. */
  readonly began: Readonly<Record<string, number>>;
  /** What the model read, by turn. A list of two where it read two things. */
  readonly read: Readonly<Record<string, readonly string[]>>;
}

/** Reads the ledger of a run. */
export function recordOf(entries: readonly { readonly what: string; readonly bytes: string }[]): RunRecord {
  const began: Record<string, number> = {};
  const read: Record<string, string[]> = {};
  for (const { what, bytes } of entries) {
    if (what.startsWith('begin ')) began[what.slice(6)] = (began[what.slice(6)] ?? 0) + 1;
    if (!what.startsWith('read ')) continue;
    const different = (read[what] ??= []);
    if (!different.includes(bytes)) different.push(bytes);
  }
  return { began, read };
}

/** Each step once, and the one that was cut twice. */
export function expectedCounts(place?: string, groups: StepGroups = agentSteps): Record<string, number> {
  return Object.fromEntries(groups.flat().map((step) => [step, place === `in ${step}` ? 2 : 1]));
}
