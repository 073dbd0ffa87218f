import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSkillSearch } from '@repertoire/skill-search';
import MiniSearch from 'minisearch';
import { growLibrary, libraryProvider } from './grow-library.ts';
import { readSearchCorpus } from './search-corpus.ts';

/** What searching a library of some size costs. */
export interface SearchMeasurement {
  readonly engine: string;
  readonly skills: number;
  readonly indexMs: number;
  readonly indexCpuMs: number;
  readonly longestSliceMs: number;
  readonly memoryMb: number;
  readonly queryCpuMs: number;
  readonly queryP50Ms: number;
  readonly queryP95Ms: number;
  readonly fileMb: number;
  readonly loadMs: number;
  readonly changeMs: number;
}

/** Measures one engine on one library. Run it in a process of its own. */
export async function measureSearch(root: string, count: number, engine: 'skill-search' | 'minisearch'): Promise<SearchMeasurement> {
  const corpus = readSearchCorpus(root);
  const prompts = corpus.prompts.map(({ prompt }) => prompt);
  // The code is compiled before anything is timed.
  await engines[engine](growLibrary(corpus.skills, 300), prompts.slice(0, 100));
  const library = growLibrary(corpus.skills, count);
  return { engine, skills: count, ...(await engines[engine](library, prompts)) };
}

const engines = { 'skill-search': measureOurs, minisearch: measureMiniSearch };
type Figures = Omit<SearchMeasurement, 'engine' | 'skills'>;

async function measureOurs(library: ReturnType<typeof growLibrary>, prompts: readonly string[]): Promise<Figures> {
  const provider = libraryProvider(library);
  const before = memory();
  using search = createSkillSearch(provider);
  const index = await timed(async () => await search.refresh());
  const memoryMb = memory() - before;
  const queries = await timeEach(prompts, async (prompt) => await search.search(prompt));
  const file = search.exportIndex();
  using loaded = createSkillSearch(provider, { index: file });
  const load = await timed(async () => await loaded.refresh());
  if (loaded.status().due > 0) throw new Error('The index was not taken over.');

  const middle = library[library.length >> 1];
  using changed = createSkillSearch(libraryProvider(library.map((skill) => (skill === middle ? { ...skill, version: '2.0.0' } : skill))), {
    index: file,
  });
  const change = await timed(async () => await changed.refresh());
  return { ...index, memoryMb, ...queries, fileMb: file.length / 1e6, loadMs: load.indexMs, changeMs: change.indexMs };
}

async function measureMiniSearch(library: ReturnType<typeof growLibrary>, prompts: readonly string[]): Promise<Figures> {
  const options = {
    fields: ['name', 'description', 'headings', 'body'],
    idField: 'name',
    searchOptions: { boost: { name: 3, description: 2 } },
  };
  const documents = library.map((skill) => ({ ...skill, headings: (skill.body.match(/^#{1,6} .*$/gm) ?? []).join('\n') }));
  const before = memory();
  const mini = new MiniSearch(options);
  const index = await timed(async () => await mini.addAllAsync(documents, { chunkSize: 10 }));
  const memoryMb = memory() - before;
  const queries = await timeEach(prompts, async (prompt) => mini.search(prompt).slice(0, 5));
  const file = JSON.stringify(mini);
  const load = await timed(async () => MiniSearch.loadJSON(file, options));
  return { ...index, memoryMb, ...queries, fileMb: file.length / 1e6, loadMs: load.indexMs, changeMs: Number.NaN };
}

async function timed(work: () => Promise<unknown>): Promise<Pick<Figures, 'indexMs' | 'indexCpuMs' | 'longestSliceMs'>> {
  let longest = 0;
  let isOver = false;
  // Processor time of this thread between two turns of the event loop, so that other processes are no part of it.
  let turn = process.threadCpuUsage();
  const watch = (): void => {
    const { user, system } = process.threadCpuUsage(turn);
    longest = Math.max(longest, (user + system) / 1_000);
    turn = process.threadCpuUsage();
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  const [start, cpu] = [performance.now(), process.threadCpuUsage()];
  await work();
  const [indexMs, used] = [performance.now() - start, process.threadCpuUsage(cpu)];
  isOver = true;
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return { indexMs, indexCpuMs: (used.user + used.system) / 1_000, longestSliceMs: longest };
}

async function timeEach(
  prompts: readonly string[],
  ask: (prompt: string) => Promise<unknown>,
): Promise<Pick<Figures, 'queryCpuMs' | 'queryP50Ms' | 'queryP95Ms'>> {
  // Those that are timed were not asked before.
  const fresh = prompts.filter((_, index) => index % 2 === 1);
  for (const prompt of prompts.filter((_, index) => index % 2 === 0)) await ask(prompt);
  const times: number[] = [];
  const cpu = process.threadCpuUsage();
  for (const prompt of fresh) {
    const start = performance.now();
    await ask(prompt);
    times.push(performance.now() - start);
  }
  const used = process.threadCpuUsage(cpu);
  times.sort((a, b) => a - b);
  return {
    queryCpuMs: (used.user + used.system) / 1_000 / fresh.length,
    queryP50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    queryP95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
  };
}

function memory(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
