import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { contenders, entryFor, floor, minisearch } from './contenders.ts';
import { corpusFolder, type SkillFolder } from './folders.ts';
import { measureBundle } from './measure-bundle.ts';
import type { Results } from './results.ts';
import { rows } from './rows.ts';
import { runProcess } from './run-process.ts';
import { writeCorpusLibrary, writeGeneratedLibrary } from './search-library.ts';

/** What the parts that are no folders need. */
export interface OtherOptions {
  readonly workspace: string;
  readonly isQuick: boolean;
  readonly progress: (text: string) => void;
}

interface Answer {
  readonly rows: Readonly<Record<string, number>>;
  readonly floors?: Readonly<Record<string, number>>;
  readonly remark?: string;
}

/** Searches the same library with every contender that has a search. */
export async function runSearch(results: Results, { workspace, isQuick, progress }: OtherOptions): Promise<void> {
  const folder = path.join(workspace, 'library');
  mkdirSync(folder);
  const library =
    existsSync(corpusFolder) && !isQuick ? writeCorpusLibrary(folder, corpusFolder) : writeGeneratedLibrary(folder, isQuick ? 200 : 1_000);
  const file = path.join(workspace, 'library.json');
  writeFileSync(file, JSON.stringify(library));
  const rounds = isQuick ? 1 : 2;
  const load = loadavg()[0] ?? 0;
  for (let round = 0; round < rounds; round += 1) {
    progress(`search: round ${round + 1} of ${rounds}`);
    for (const { id, cannot } of [floor, ...contenders, minisearch]) {
      if (entryFor(cannot, 'search-query') !== undefined && id !== minisearch.id) continue;
      // One that is slow is asked in the first round alone.
      if (results.remarks.some(({ row, contender }) => row === 'search-query' && contender === id)) continue;
      await measure('search', 'measure-search.ts', id, round, { peer: id, folder, library: file, seconds: isQuick ? 5 : 40 });
    }
  }
  results.columns.push({ id: 'search', title: library.about, load, rounds });

  async function measure(column: string, module: string, id: string, round: number, plan: object): Promise<void> {
    const answer = await attempt(results, 'search', id, () => runProcess<Answer>(module, plan, { workspace, timeoutMs: 120_000 }));
    if (answer === undefined) return;
    for (const [row, value] of Object.entries(answer.rows)) {
      results.add(row, column, id, round, value);
      if (answer.remark !== undefined) results.remark({ row, contender: id, text: answer.remark });
    }
  }
}

/** Runs agents of LangGraph on a folder. Their checkpoints are the same in every run. */
export async function runCheckpoints(folder: SkillFolder, results: Results, { workspace, progress }: OtherOptions): Promise<void> {
  progress('checkpoints');
  for (const { id, cannot } of [floor, ...contenders]) {
    if (entryFor(cannot, 'checkpoint-last') !== undefined || !hasAgent(id)) continue;
    const plan = { peer: id, folder: folder.path, loads: folder.loads.slice(0, 10) };
    const answer = await attempt(results, 'checkpoint', id, () =>
      runProcess<Answer>('measure-checkpoint.ts', plan, { workspace, timeoutMs: 120_000 }),
    );
    for (const [row, value] of Object.entries(answer?.rows ?? {})) results.add(row, 'checkpoint', id, 0, value);
  }
  results.columns.push({ id: 'checkpoint', title: folder.title });
}

/** Publishes a folder over HTTP and MCP, and reads from there. */
export async function runSites(folder: SkillFolder, rounds: number, results: Results, options: OtherOptions): Promise<void> {
  const { workspace, progress } = options;
  const load = loadavg()[0] ?? 0;
  for (let round = 0; round < rounds; round += 1) {
    progress(`HTTP and MCP, ${folder.title}: round ${round + 1} of ${rounds}`);
    const plan = { folder: folder.path, loads: folder.loads, files: folder.files };
    const answer = await attempt(results, ['http', 'mcp'], 'repertoire', () =>
      runProcess<Answer>('measure-site.ts', plan, { workspace, timeoutMs: 120_000 }),
    );
    for (const [row, value] of Object.entries(answer?.rows ?? {})) results.add(row, `site-${folder.id}`, 'repertoire', round, value);
    for (const [row, value] of Object.entries(answer?.floors ?? {})) results.add(row, `site-${folder.id}`, 'floor', round, value);
  }
  results.columns.push({ id: `site-${folder.id}`, title: folder.title, load, rounds });
}

/** Bundles every contender. */
export async function runBundles(results: Results, { progress }: OtherOptions): Promise<void> {
  progress('bundles');
  for (const { id, cannot } of [floor, ...contenders]) {
    if (entryFor(cannot, 'bundle-own') !== undefined) continue;
    const measured = await attempt(results, 'bundle', id, () => measureBundle(id));
    for (const [row, value] of Object.entries(measured?.rows ?? {})) {
      results.add(row, 'bundle', id, 0, value);
      if (measured === undefined || measured.builtIns.length === 0) continue;
      results.remark({ row, contender: id, text: `It imports modules of Node.js, which Workers have only with \`nodejs_compat\`.` });
    }
  }
  results.columns.push({ id: 'bundle', title: 'size' });
}

function hasAgent(id: string): boolean {
  return existsSync(path.join(import.meta.dirname, '../peers', id, 'checkpoint.ts'));
}

async function attempt<Value>(
  results: Results,
  groups: string | readonly string[],
  contender: string,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, cause = message] = /ERROR: (.*)/.exec(message) ?? [];
    const text = message.startsWith('Build failed') ? `It cannot be bundled for Workers: ${withoutPaths(cause)}` : withoutPaths(message);
    for (const { id, group } of rows) if ([groups].flat().includes(group)) results.remark({ row: id, contender, text });
    return undefined;
  }
}

function withoutPaths(text: string): string {
  return text.replaceAll(/(?:[\w.@+-]*\/){2,}/g, '').slice(0, 200);
}
