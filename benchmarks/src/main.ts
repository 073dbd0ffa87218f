/**
 * Prints what listing a folder of skills costs, beside the least that it could cost. Run `pnpm bench` from the root of the repository.
 *
 * Then the same over HTTP, and 2,000 plugins. `--only folder`, `http` or `plugins` measures one of them.
 *
 * `--json` prints the numbers as JSON, `--runs <n>` sets the rounds that medians are taken of, `--sizes <n,n>` the generated folders.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { generateSkills } from './generate-skills.ts';
import { measureHttp, printHttp, type HttpMeasurement } from './http.ts';
import { measureFolder, type FolderMeasurement } from './measure-folder.ts';
import { measurePlugins, printPlugins, type PluginMeasurement } from './plugins.ts';

interface Result extends FolderMeasurement {
  readonly library: string;
  readonly coldToFloor: number;
  readonly warmToFloor: number;
  readonly revalidatedToFloor: number;
}

const corpus = path.resolve(import.meta.dirname, '../../../shared/corpus');

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: '21' },
    sizes: { type: 'string', default: '100,1000,10000' },
    measure: { type: 'string' },
    only: { type: 'string' },
  },
});

if (values.measure === undefined) await main();
// A process of its own for each folder, so that the memory of one is not counted for the next.
else console.log(JSON.stringify(await measureFolder(values.measure, Number(values.runs))));

async function main(): Promise<void> {
  const results = values.only === undefined || values.only === 'folder' ? await measureFolders() : [];
  const overHttp: HttpMeasurement[] = [];
  if (values.only === undefined || values.only === 'http') {
    for (const count of [100, 1_000]) {
      progress(`measuring ${count} skills over HTTP …`);
      overHttp.push(await measureHttp(count, Number(values.runs)));
    }
  }
  let plugins: PluginMeasurement | null = null;
  if (values.only === undefined || values.only === 'plugins') {
    progress('measuring 2000 plugins …');
    plugins = await measurePlugins(2_000, Number(values.runs));
  }
  if (values.json)
    console.log(
      JSON.stringify({ node: process.version, cpus: cpus().length, platform: process.platform, results, http: overHttp, plugins }, null, 2),
    );
  else {
    if (results.length > 0) print(results);
    if (overHttp.length > 0) printHttp(overHttp, Number(values.runs));
    if (plugins !== null) printPlugins(plugins);
  }
}

async function measureFolders(): Promise<Result[]> {
  const results: Result[] = [];
  for (const count of values.sizes.split(',').map(Number)) {
    const folder = await mkdtemp(path.join(tmpdir(), 'repertoire-bench-'));
    try {
      progress(`generating ${count} skills …`);
      await generateSkills(folder, count);
      // What was written within two seconds counts as about to change, and is read again each time.
      await setTimeout(2_500);
      results.push(measure(`${count} generated`, folder));
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  if (existsSync(corpus)) results.push(measure('real skills', corpus));
  else progress(`no real skills: ${corpus} is not there`);
  return results;
}

function measure(library: string, folder: string): Result {
  progress(`measuring ${library} …`);
  const output = execFileSync(process.execPath, [...process.execArgv, import.meta.filename, '--measure', folder, '--runs', values.runs], {
    encoding: 'utf8',
  });
  const measured = JSON.parse(output) as FolderMeasurement;
  return {
    library,
    ...measured,
    coldToFloor: measured.coldMs / measured.floorMs,
    warmToFloor: measured.warmMs / measured.floorMs,
    revalidatedToFloor: measured.revalidatedMs / measured.floorMs,
  };
}

function print(results: readonly Result[]): void {
  const columns: readonly [string, (result: Result) => string][] = [
    ['library', ({ library }) => library],
    ['files', ({ files }) => String(files)],
    ['skills', ({ skills }) => String(skills)],
    ['floor ms', ({ floorMs }) => floorMs.toFixed(1)],
    ['first ms', ({ firstMs }) => firstMs.toFixed(1)],
    ['cold ms', ({ coldMs }) => coldMs.toFixed(1)],
    ['× floor', ({ coldToFloor }) => coldToFloor.toFixed(2)],
    ['warm ms', ({ warmMs }) => warmMs.toFixed(2)],
    ['× floor', ({ warmToFloor }) => warmToFloor.toFixed(3)],
    ['revalidated ms', ({ revalidatedMs }) => revalidatedMs.toFixed(1)],
    ['× floor', ({ revalidatedToFloor }) => revalidatedToFloor.toFixed(2)],
    ['heap/skill B', ({ heapPerSkill }) => heapPerSkill.toFixed(0)],
    ['peak RSS MB', ({ peakRssMb }) => peakRssMb.toFixed(0)],
  ];
  const rows = [columns.map(([title]) => title), ...results.map((result) => columns.map(([, cell]) => cell(result)))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  console.log(
    `\nListing a folder of skills (Node ${process.version}, ${cpus().length} processors, medians of ${values.runs} alternating rounds after five to warm up, warm disk cache)\n`,
  );
  for (const row of rows)
    console.log(
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
    );
  console.log(
    '\nfloor        the same glob, and of each file: open, read 4 KiB, close' +
      '\nfirst        the first listing of a process, once: compiling the code is part of it' +
      '\ncold         a new provider lists for the first time' +
      '\nwarm         it lists again within staleAfterMs, from memory' +
      '\nrevalidated  it lists again after staleAfterMs, nothing has changed: every folder and file is checked by stat\n',
  );
}

function progress(message: string): void {
  console.error(message);
}
