/**
 * One fresh process: `node measure-folder.ts <plan as JSON>` measures one contender on one folder, and writes a line of JSON to the file of the plan. Whatever
 * contenders print stays on their own output.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PeerModule } from './peer.ts';
import { spreadOf } from './statistics.ts';

/** What such a process is told. */
export interface FolderPlan {
  readonly peer: string;
  readonly folder: string;
  /** Names of skills to load; the first is the first load. */
  readonly loads: readonly string[];
  /** Names and paths of files to read. */
  readonly files: readonly (readonly [string, string])[];
  /** How long each measurement of the warm process may be repeated. */
  readonly warmMs: number;
  /** Whether the texts are wanted, too. */
  readonly texts: boolean;
  /** Whether the event loop is watched during the first listing, and nothing else is measured: whoever yields to the watcher pays for it. */
  readonly isWatched?: boolean;
  readonly output: string;
}

/** What it answers: rows by their ids. */
export interface FolderMeasurement {
  readonly rows: Readonly<Record<string, number>>;
  readonly skills: number;
  /** Why a row has no figure. */
  readonly failures: Readonly<Record<string, string>>;
  readonly catalog?: string;
  readonly loaded?: readonly string[];
}

const plan = JSON.parse(process.argv[2] ?? '{}') as FolderPlan;
const rows: Record<string, number> = {};
const failures: Record<string, string> = {};

const { importPeer } = (await import(`../peers/${plan.peer}/peer.ts`)) as PeerModule;
if (plan.isWatched === true) {
  const quiet = async (): Promise<void> => await new Promise((resolve) => void setTimeout(resolve, 50));
  const watched = await importPeer();
  const stop = watchEventLoop();
  await (plan.peer === 'floor' ? quiet() : watched.open(plan.folder));
  rows['blocked'] = await stop();
  finish({ rows, failures, skills: 0 });
}
const peer = await timed('import', importPeer);
const library = await timed('first-listing', () => peer.open(plan.folder));
const catalog = await timed('first-catalog', () => library.catalog());
rows['start'] = (rows['import'] ?? 0) + (rows['first-listing'] ?? 0) + (rows['first-catalog'] ?? 0);
rows['memory'] = process.resourceUsage().maxRSS / 1_024;

const loaded: string[] = [];
const { load, read, listAgain } = library;
if (load !== undefined) {
  const times = await timedAnswers(
    ['first-load', 'later-load', 'load-tokens'],
    plan.loads.map((name) => [name, 'SKILL.md'] as const),
    load,
  );
  if (times[0] !== undefined) rows['first-load'] = times[0];
  if (times.length > 1) rows['later-load'] = spreadOf(times.slice(1)).median;
}
if (read !== undefined && plan.files.length > 1) {
  const times = await timedAnswers(['file-read'], plan.files, read, async (name) => {
    // As in a conversation: a skill is loaded before its files are read.
    await load?.(name);
  });
  if (times.length > 1) rows['file-read'] = spreadOf(times.slice(1)).median;
}
if (listAgain !== undefined) await repeated('later-listing', listAgain);
await repeated('later-catalog', () => library.catalog());
await repeated('new-listing', () => peer.open(plan.folder));

finish({ rows, skills: library.skills, failures, ...(plan.texts ? { catalog, loaded } : {}) });

function finish(answer: FolderMeasurement): never {
  writeFileSync(plan.output, JSON.stringify(answer));
  // Some contenders keep timers, and would not end.
  process.exit();
}

async function timed<Value>(row: string, work: () => Value | Promise<Value>): Promise<Value> {
  const began = performance.now();
  const value = await work();
  rows[row] = performance.now() - began;
  return value;
}

async function repeated(row: string, work: () => Promise<unknown>): Promise<void> {
  await attempt([row], async () => {
    const times: number[] = [];
    const end = performance.now() + plan.warmMs;
    do {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    } while (times.length < 200 && performance.now() < end);
    rows[row] = spreadOf(times).median;
  });
}

async function attempt(names: readonly string[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const name of names) failures[name] = messageOf(error);
  }
}

/** Times answers. Those that lack the text of the file are worth nothing: they are left out, and it is said. */
async function timedAnswers(
  names: readonly string[],
  files: readonly (readonly [string, string])[],
  ask: (name: string, file: string) => Promise<string>,
  before?: (name: string) => Promise<void>,
): Promise<readonly number[]> {
  const times: number[] = [];
  let problem = '';
  for (const [name, file] of files) {
    try {
      await before?.(name);
      const began = performance.now();
      const text = await ask(name, file);
      const ms = performance.now() - began;
      expectText(text, path.join(plan.folder, name, file));
      times.push(ms);
      if (file === 'SKILL.md') loaded.push(text);
    } catch (error) {
      problem = messageOf(error);
    }
  }
  const wrong = files.length - times.length;
  if (wrong > 0)
    for (const row of names) failures[row] = `${wrong} of ${files.length} answers lacked the text of the file and do not count: ${problem}`;
  return times;
}

/** The longest run of plain words of the file has to be in the answer, however that is escaped. */
function expectText(text: string, file: string): void {
  const runs = readFileSync(file, 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .match(/[A-Za-z0-9 ,.]{10,200}/g);
  const longest = runs?.toSorted((a, b) => b.length - a.length)[0]?.trim() ?? '';
  if (text === '') throw new Error('It was empty.');
  if (!text.includes(longest)) throw new Error(`It began with “${text.replaceAll(/\s+/g, ' ').slice(0, 60)}”.`);
}

function messageOf(error: unknown): string {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return message.replaceAll(path.dirname(plan.folder), '…').slice(0, 160);
}

/**
 * Starts a timer of a millisecond. The function that it returns ends it, and says how much processor time the main thread once had between two ticks: other
 * processes on the computer are no part of that.
 */
function watchEventLoop(): () => Promise<number> {
  let [longest, last] = [0, threadMs()];
  let timer: NodeJS.Timeout;
  const tick = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setTimeout(tick, 1);
  };
  timer = setTimeout(tick, 1);
  return async () => {
    // What ended without a turn of the event loop is seen by the next tick.
    await new Promise((resolve) => void setTimeout(resolve, 2));
    clearTimeout(timer);
    return longest;
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
