/**
 * Runs one target in a thread of its own: `runFuzz` starts it, watches it, and ends it where an input never comes to an end.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { Coverage } from './coverage.ts';
import { faultOf, type Finding } from './finding.ts';
import { allowedMs, defaultBudget, defaultMaxBytes, type FuzzTarget } from './fuzz-target.ts';
import { mutateBytes, stretchBytes, type Mutation } from './mutate-bytes.ts';
import { mutateJson } from './mutate-json.ts';
import { seededRandom } from './random.ts';
import { shrink } from './shrink.ts';

/** What the thread is given. */
export interface FuzzWork {
  /** The instrumented module. */
  readonly module: string;
  readonly branches: number;
  readonly seed: number;
  readonly minutes: number;
  /** Findings of earlier runs, which are tried first. */
  readonly known: readonly Uint8Array[];
  /** A number of attempts, the length of the input of the current one, and the input itself. */
  readonly current: SharedArrayBuffer;
}

/** What the thread tells, every so often and at each finding. */
export type FuzzMessage =
  | { readonly type: 'finding'; readonly finding: Finding; readonly runs: number }
  | { readonly type: 'progress' | 'end'; readonly progress: FuzzProgress };

/** How far a run came. */
export interface FuzzProgress {
  readonly runs: number;
  readonly seconds: number;
  readonly reached: number;
  readonly branches: number;
  readonly corpus: number;
  readonly slowestMs: number;
  readonly slowestBytes: number;
}

const progressEveryMs = 10_000;
/** The compiler is at work in the first runs: their time tells nothing. */
const warmUpRuns = 300;
/** One slow run may be the garbage collector's. */
const measuredAgain = 4;

const { module, branches, seed, minutes, known, current } = workerData as FuzzWork;
const header = new Int32Array(current, 0, 2);
const room = new Uint8Array(current, 8);
const coverage = new Coverage(branches);
(globalThis as { fuzzCounters?: Uint8Array }).fuzzCounters = coverage.counters;
const { target } = (await import(pathToFileURL(module).href)) as { readonly target: FuzzTarget };
const { budget = defaultBudget, maxBytes = defaultMaxBytes } = target;
const random = seededRandom(seed);
const words = target.words.map((word) => new TextEncoder().encode(word));
const faults = new Set<string>();
let runs = 0;
let slowest = { ms: 0, bytes: 0 };

const corpus: Uint8Array[] = [];
const start = performance.now();
const end = start + minutes * 60_000;
for (const input of [...known, ...(await target.seeds())]) {
  await judge(input);
  if (coverage.takeNew() || corpus.length === 0) corpus.push(input);
}
let told = performance.now();
while (performance.now() < end) {
  const input = next();
  await judge(input);
  // What is long makes every later run slow, and reaches little that what is short does not.
  if (coverage.takeNew() && input.length <= maxBytes / 4) corpus.push(input);
  if (performance.now() - told < progressEveryMs) continue;
  told = performance.now();
  tell({ type: 'progress', progress: progress() });
}
tell({ type: 'end', progress: progress() });

function next(): Uint8Array {
  // What was found last leads on more often than what was found first.
  const recent = corpus.length > 8 && random.below(3) === 0 ? corpus.slice(-Math.ceil(corpus.length / 4)) : corpus;
  const input = random.pick(recent);
  const mutation: Mutation = { random, words, other: random.pick(corpus), maxBytes };
  if (random.below(100) === 0) return stretchBytes(input, mutation);
  const byValue = target.form === 'json' && random.below(4) > 0 ? mutateJson(input, mutation) : undefined;
  return byValue ?? mutateBytes(input, mutation);
}

async function judge(input: Uint8Array): Promise<void> {
  room.set(input.subarray(0, room.length));
  Atomics.store(header, 1, input.length);
  runs += 1;
  const { error, ms } = await attempt(input);
  if (error !== undefined) return await foundCrash(input, error);
  if (runs < warmUpRuns) return;
  if (ms > slowest.ms) slowest = { ms, bytes: input.length };
  if (ms > allowedMs(budget, input.length)) await maybeSlow(input);
}

async function attempt(input: Uint8Array): Promise<{ readonly error?: unknown; readonly ms: number }> {
  // Whoever watches sees that something goes on, also while an input is made smaller.
  Atomics.add(header, 0, 1);
  const before = process.threadCpuUsage();
  let ms = 0;
  try {
    const answer = await target.run(input.slice());
    ms = millisecondsSince(before);
    await target.check?.(answer, input);
    return { ms };
  } catch (error) {
    return { error: error ?? new Error(`It threw ${String(error)}.`), ms };
  }
}

async function foundCrash(input: Uint8Array, error: unknown): Promise<void> {
  const fault = faultOf(error);
  if (faults.has(fault)) return;
  faults.add(fault);
  const isSame = async (candidate: Uint8Array): Promise<boolean> => {
    const result = await attempt(candidate);
    return result.error !== undefined && faultOf(result.error) === fault;
  };
  const small = await shrink(input, isSame, 1_500);
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell({ type: 'finding', finding: { kind: 'crash', what: what.split('\n').slice(0, 6).join('\n'), input: small }, runs });
  coverage.clear();
}

async function maybeSlow(input: Uint8Array): Promise<void> {
  const leastOf = async (candidate: Uint8Array): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let again = 0; again < measuredAgain && least > allowedMs(budget, candidate.length); again += 1)
      least = Math.min(least, (await attempt(candidate)).ms);
    return least;
  };
  const ms = await leastOf(input);
  if (ms <= allowedMs(budget, input.length) || faults.has('slow')) return;
  // One at a time: the same fault shows itself in thousands of inputs.
  faults.add('slow');
  const small = await shrink(input, async (candidate) => (await leastOf(candidate)) > allowedMs(budget, candidate.length), 60);
  tell({ type: 'finding', finding: { kind: 'slow', what: `${ms.toFixed(0)} ms of CPU for ${input.length} bytes`, input: small }, runs });
  coverage.clear();
}

function progress(): FuzzProgress {
  return {
    runs,
    seconds: (performance.now() - start) / 1000,
    reached: coverage.reached,
    branches,
    corpus: corpus.length,
    slowestMs: slowest.ms,
    slowestBytes: slowest.bytes,
  };
}

function tell(message: FuzzMessage): void {
  // A port of a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message);
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
