/**
 * Prints how well and how fast skills are found, beside MiniSearch. Run `pnpm bench:search` from the root of the repository.
 *
 * `--only relevance` or `--only cost` prints one of the two, `--sizes <n,n>` sets the sizes of the libraries that are measured, `--engines <name,name>` the engines.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureSearch, type SearchMeasurement } from './measure-search.ts';
import { printRelevance } from './relevance.ts';
import { readSearchCorpus } from './search-corpus.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    sizes: { type: 'string', default: '1000,10000' },
    engines: { type: 'string', default: 'skill-search,minisearch' },
    measure: { type: 'string' },
  },
});

if (!existsSync(corpus)) console.error(`Nothing to measure: the corpus of published skills is not beside the project (${corpus}).`);
// A process of its own for each, so that the memory of one is not counted for the next.
else if (values.measure !== undefined) {
  const [engine, count] = values.measure.split(':');
  console.log(JSON.stringify(await measureSearch(corpus, Number(count), engine === 'minisearch' ? engine : 'skill-search')));
} else {
  if (values.only !== 'cost') await printRelevance(readSearchCorpus(corpus));
  if (values.only !== 'relevance') printCost();
}

function printCost(): void {
  const results: SearchMeasurement[] = [];
  for (const count of values.sizes.split(',')) {
    for (const engine of values.engines.split(',')) {
      console.error(`measuring ${engine} with ${count} skills …`);
      const command = [...process.execArgv, '--max-old-space-size=3500', import.meta.filename, '--measure', `${engine}:${count}`];
      results.push(JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as SearchMeasurement);
    }
  }
  const columns: readonly [string, (result: SearchMeasurement) => string][] = [
    ['engine', ({ engine }) => engine],
    ['skills', ({ skills }) => String(skills)],
    ['index ms', ({ indexMs }) => indexMs.toFixed(0)],
    ['CPU ms', ({ indexCpuMs }) => indexCpuMs.toFixed(0)],
    ['longest slice ms', ({ longestSliceMs }) => longestSliceMs.toFixed(1)],
    ['memory MB', ({ memoryMb }) => memoryMb.toFixed(1)],
    ['query CPU ms', ({ queryCpuMs }) => queryCpuMs.toFixed(2)],
    ['p50 ms', ({ queryP50Ms }) => queryP50Ms.toFixed(2)],
    ['p95 ms', ({ queryP95Ms }) => queryP95Ms.toFixed(2)],
    ['file MB', ({ fileMb }) => fileMb.toFixed(1)],
    ['load ms', ({ loadMs }) => loadMs.toFixed(0)],
    ['load, one changed ms', ({ changeMs }) => (changeMs === null ? '–' : changeMs.toFixed(0))],
  ];
  const rows = [columns.map(([title]) => title), ...results.map((result) => columns.map(([, cell]) => cell(result)))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  console.log(`\nIndexing and asking libraries made of real skills (Node ${process.version})\n`);
  for (const row of rows)
    console.log(
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
    );
  console.log(
    '\nindex          of name, description, headings and bodies, which a provider gives from memory' +
      '\nlongest slice  processor time between two turns of the event loop; collecting garbage is part of it' +
      '\nmemory         of the index, after collecting garbage; without the skills themselves' +
      '\nload           from an index file, with comparing it to the listing\n',
  );
}
