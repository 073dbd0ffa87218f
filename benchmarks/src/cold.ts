/**
 * Prints what a fresh process pays until it knows a folder of real skills, beside the least that it could cost. Run
 * `pnpm build && pnpm --filter @repertoire/benchmarks cold` from the root of the repository.
 *
 * `--runs <n>` sets the rounds that medians are taken of, `--count <n>` the skills, `--skills <folder>` where real ones are taken from,
 * `--compare <checkout>` measures another built checkout as well, and `--json` prints the numbers as JSON. Everything of a round runs in turn, each in a
 * process of its own. `pnpm bench:peers` measures other libraries.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeColdFolder } from './cold-folder.ts';
import type { ColdMeasurement } from './cold-process.ts';
import { median } from './median.ts';

interface Contender {
  readonly name: string;
  readonly what: string;
  readonly place: string;
}

const repository = path.resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: '15' },
    count: { type: 'string', default: '1000' },
    skills: { type: 'string', default: path.resolve(repository, '../shared/corpus') },
    compare: { type: 'string' },
  },
});

await main();

async function main(): Promise<void> {
  for (const [what, place] of [
    ['the packages', path.join(repository, 'packages/skill-fs/dist')],
    ['real skills', values.skills],
  ] as const) {
    if (existsSync(place)) continue;
    console.error(`Nothing is measured: ${what} are not there, in ${place}.${what === 'the packages' ? ' Run pnpm build.' : ''}`);
    return;
  }
  const contenders: readonly Contender[] = [
    { name: 'floor', what: 'floor', place: '' },
    { name: 'repertoire', what: 'repertoire', place: repository },
    { name: 'repertoire, watched', what: 'event-loop', place: repository },
    ...(values.compare === undefined ? [] : [{ name: `repertoire in ${values.compare}`, what: 'repertoire', place: values.compare }]),
  ];
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'repertoire-cold-')));
  try {
    makeColdFolder(folder, values.skills, Number(values.count));
    // What was written within two seconds counts as about to change.
    await setTimeout(2_500);
    const measured = contenders.map(() => [] as ColdMeasurement[]);
    for (let run = -1; run < Number(values.runs); run += 1) {
      for (const [index, contender] of contenders.entries()) {
        const measurement = measure(contender, folder);
        // The first round fills the disk cache.
        if (run >= 0) measured[index]?.push(measurement);
      }
    }
    print(contenders, measured);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function measure({ what, place }: Contender, folder: string): ColdMeasurement {
  const program = path.join(import.meta.dirname, 'cold-process.ts');
  return JSON.parse(execFileSync(process.execPath, [program, what, folder, place], { encoding: 'utf8' })) as ColdMeasurement;
}

function print(contenders: readonly Contender[], measured: readonly (readonly ColdMeasurement[])[]): void {
  const floors = measured[0] ?? [];
  const rows = contenders.map(({ name }, index) => {
    const all = measured[index] ?? [];
    const middle = (key: keyof ColdMeasurement): number | null => {
      const numbers = all.map((one) => one[key]).filter((value) => value !== null);
      return numbers.length === 0 ? null : median(numbers);
    };
    return {
      name,
      skills: middle('skills'),
      'import ms': middle('importMs'),
      'list ms': middle('listMs'),
      // Of each round by itself: a busy moment of the computer falls on both.
      '× floor': median(all.map((one, run) => one.listMs / (floors[run]?.listMs ?? Number.NaN))),
      'catalog ms': middle('catalogMs'),
      'import CPU': middle('importCpuMs'),
      'list CPU': middle('listCpuMs'),
      '× floor CPU': median(all.map((one, run) => one.listCpuMs / (floors[run]?.listCpuMs ?? Number.NaN))),
      'list thread': middle('listThreadMs'),
      '× floor thread': median(all.map((one, run) => one.listThreadMs / (floors[run]?.listThreadMs ?? Number.NaN))),
      'catalog CPU': middle('catalogCpuMs'),
      'loop kept ms': middle('keptMs'),
      'loop kept CPU': middle('keptCpuMs'),
    };
  });
  const machine = `Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}`;
  if (values.json) {
    console.log(JSON.stringify({ machine, runs: Number(values.runs), rows, measured }, null, 2));
    return;
  }
  console.log(
    `\nA fresh process and ${values.count} real skills (${machine}, medians of ${values.runs} alternating rounds, warm disk cache)\n`,
  );
  const titles = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[];
  const cells = [titles, ...rows.map((row) => titles.map((title) => cell(row[title])))];
  const widths = titles.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  for (const line of cells)
    console.log(
      line.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join('  '),
    );
  console.log(
    '\nfloor      find the files by folders, and of each: open, read 4 KiB, close; all at once, nothing is looked at' +
      '\nwatched    the same listing while something else wants the event loop: the longest that it waited, by the clock and by the processor time of the thread' +
      '\nCPU        processor time of the whole process in milliseconds: the compiler, the collector of garbage and the threads that read are part of it' +
      '\nthread     processor time of the main thread alone: what a caller waits for where nothing else wants the processor\n',
  );
}

function cell(value: string | number | null): string {
  if (typeof value !== 'number') return value ?? '–';
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
