import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { contenders, entryFor, floor, type Contender } from './contenders.ts';
import type { SkillFolder } from './folders.ts';
import type { FolderMeasurement } from './measure-folder.ts';
import { rows } from './rows.ts';
import type { Results } from './results.ts';
import { runProcess } from './run-process.ts';
import { spreadOf } from './statistics.ts';

/** Counts tokens as models do. */
export type CountTokens = (text: string) => number;

/** How long and how often is measured. */
export interface FolderOptions {
  readonly workspace: string;
  readonly rounds: number;
  readonly countTokens: CountTokens;
  readonly progress: (text: string) => void;
  readonly isQuick: boolean;
}

const groups = new Set(['fresh', 'warm', 'skill', 'text', 'memory']);

/** The rows that are measured here. */
const folderRows: readonly string[] = rows.filter(({ group }) => groups.has(group)).map(({ id }) => id);

/** The rows of a start. */
const startRows: readonly string[] = ['import', 'first-listing', 'first-catalog', 'start', 'new-listing'];

/** A process that takes longer runs in one round only. */
const slowMs = 5_000;
/** Rounds of the start alone, behind the others: what takes a fraction of a second differs from process to process. */
const startRounds = 3;
/** Whoever takes longer to start is not in them. */
const quickStartMs = 1_000;
const timeoutMs = 60_000;

/** Measures every contender on one folder: rounds of fresh processes, which take turns. */
export async function runFolder(folder: SkillFolder, results: Results, options: FolderOptions): Promise<void> {
  const { countTokens, progress, workspace } = options;
  const ends = performance.now() + folder.seconds * 1_000;
  const slow = new Set<string>();
  const quick = new Set<string>();
  const load = loadavg()[0] ?? 0;
  fillDiskCache(folder.path);
  let [round, lastRoundMs] = [0, 0];
  for (; round < options.rounds; round += 1) {
    const began = performance.now();
    // A round that is begun is ended. Two are the least, so that there is a spread.
    if (round >= 2 && began + lastRoundMs > ends) break;
    progress(`${folder.title}: round ${round + 1} of at most ${options.rounds}`);
    for (const contender of turns([floor, ...contenders], round)) {
      if (slow.has(contender.id)) continue;
      const expected = expectedMs(contender, folder, results);
      if (expected > 15_000) {
        const text = `It was left out: at the pace of the smaller folder, one listing takes about ${Math.round(expected / 1_000)} s.`;
        for (const row of folderRows) results.remark({ row, contender: contender.id, column: folder.id, text });
        continue;
      }
      const started = performance.now();
      await measure(contender, round, false);
      if (round === 0 && performance.now() - started > slowMs && contender.id !== 'repertoire') slow.add(contender.id);
    }
    lastRoundMs = performance.now() - began;
  }
  const starts = options.isQuick ? 0 : startRounds;
  for (let number = 0; number < starts; number += 1) {
    progress(`${folder.title}: start ${number + 1} of ${starts}`);
    for (const contender of turns([floor, ...contenders], round + number)) {
      if (quick.has(contender.id)) await measure(contender, round + number, true);
    }
  }
  results.columns.push({ id: folder.id, title: folder.title, load, rounds: round, starts });

  async function measure(contender: Contender, number: number, isStart: boolean): Promise<void> {
    const plan = {
      peer: contender.id,
      folder: folder.path,
      loads: isStart ? [] : folder.loads,
      files: isStart ? [] : folder.files,
      warmMs: options.isQuick ? 0 : folder.warmMs,
      texts: number === 0,
    };
    try {
      const measured = await runProcess<FolderMeasurement>('measure-folder.ts', plan, { workspace, timeoutMs });
      const watch = async () =>
        await runProcess<FolderMeasurement>('measure-folder.ts', { ...plan, isWatched: true }, { workspace, timeoutMs });
      const figures = { ...measured.rows, ...(isStart ? {} : (await watch()).rows) };
      for (const [row, value] of Object.entries(figures))
        if (!isStart || startRows.includes(row)) results.add(row, folder.id, contender.id, number, value);
      if ((measured.rows['start'] ?? quickStartMs) < quickStartMs) quick.add(contender.id);
      for (const [row, reason] of Object.entries(measured.failures))
        results.remark({ row, contender: contender.id, column: folder.id, text: entryFor(contender.cannot, row) ?? reason });
      if (measured.catalog !== undefined) addTexts(contender.id, measured);
    } catch (error) {
      for (const row of folderRows) results.remark({ row, contender: contender.id, column: folder.id, text: String(error).slice(0, 200) });
    }
  }

  function addTexts(id: string, { catalog = '', loaded = [], skills }: FolderMeasurement): void {
    results.add('catalog-tokens', folder.id, id, 0, countTokens(catalog));
    // Floor: what is there. Names are whole words, as one may begin with another.
    const words = new Set(catalog.split(/[^\p{L}\p{N}._-]+/u));
    const named = folder.names.filter((name) => words.has(name)).length;
    results.add('catalog-skills', folder.id, id, 0, id === 'floor' ? skills : named);
    if (loaded.length > 0) results.add('load-tokens', folder.id, id, 0, spreadOf(loaded.map(countTokens)).median);
  }
}

/** Whoever comes first would wait for the disk, and some contenders run in the first round only. */
function fillDiskCache(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) readFileSync(path.join(entry.parentPath, entry.name));
}

/** Another begins in each round. */
function turns(all: readonly Contender[], round: number): readonly Contender[] {
  const from = (round * 3) % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
}

function expectedMs(contender: Contender, folder: SkillFolder, results: Results): number {
  if (folder.smaller === undefined) return 0;
  const { id, times } = folder.smaller;
  const cell = results.cells().find(({ row, column, contender: of }) => row === 'first-listing' && column === id && of === contender.id);
  return (cell?.median ?? 0) * times;
}
