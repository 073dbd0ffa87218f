/**
 * Prints what publishing real skills costs, beside the least that it could cost. Run `pnpm build`, then
 * `pnpm --filter @repertoire/benchmarks run publish`, from the root of the repository (`publish` alone is a command of pnpm).
 *
 * `--runs <n>` sets the rounds that medians are taken of, `--skills <folder>` what is published, `--only <step,step>` what is measured, `--json` prints the
 * numbers as JSON. Everything of a round runs in turn, each in a process of its own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../median.ts';
import type { PublishMeasurement, PublishStep } from './publish-process.ts';
import { findPublishWork } from './publish-work.ts';

interface Row {
  readonly step: PublishStep;
  readonly what: string;
  /** Whether there is a folder for the cache, and whether an earlier process has filled it. */
  readonly cache: 'none' | 'empty' | 'full';
}

const rows: readonly Row[] = [
  { step: 'floor', what: 'floor', cache: 'none' },
  { step: 'provider-floor', what: 'the same by the contract of sources', cache: 'none' },
  { step: 'http-index', what: 'HTTP, first index', cache: 'none' },
  { step: 'mcp-list', what: 'MCP, first page of skills/list', cache: 'none' },
  { step: 'mcp-digests', what: 'MCP, all pages', cache: 'none' },
  { step: 'mcp-digests', what: 'MCP, all pages, digests from a folder', cache: 'full' },
  { step: 'mcp-read', what: 'MCP, small files read', cache: 'none' },
  { step: 'mcp-read-http', what: 'MCP over HTTP, small files read', cache: 'none' },
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: '7' },
    skills: { type: 'string', default: path.resolve(import.meta.dirname, '../../../../shared/corpus') },
    only: { type: 'string', default: '' },
    reads: { type: 'string', default: '300' },
  },
});

if (existsSync(values.skills)) await main();
else console.error(`Nothing is measured: there are no skills in ${values.skills}.`);

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'repertoire-publish-'));
  try {
    const work = await findPublishWork(values.skills, Number(values.reads));
    const workFile = path.join(folder, 'work.json');
    writeFileSync(workFile, JSON.stringify(work));
    const wanted = values.only === '' ? rows : rows.filter(({ step }) => step.endsWith('floor') || values.only.split(',').includes(step));
    const measured = wanted.map(() => [] as PublishMeasurement[]);
    for (let run = -1; run < Number(values.runs); run += 1) {
      for (const [index, row] of wanted.entries()) {
        const measurement = measure(row, workFile, folder);
        // The first round fills the disk cache.
        if (run >= 0) measured[index]?.push(measurement);
      }
    }
    print(wanted, measured, `${work.skills} skills, ${work.files.length} files, ${(work.bytes / 1e6).toFixed(1)} MB`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure({ step, cache }: Row, workFile: string, folder: string): PublishMeasurement {
  const program = path.join(import.meta.dirname, 'publish-process.ts');
  const cacheFolder = path.join(folder, `cache-${step}`);
  if (cache === 'empty') rmSync(cacheFolder, { recursive: true, force: true });
  const words = [...process.execArgv, program, step, workFile, ...(cache === 'none' ? [] : [cacheFolder])];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as PublishMeasurement;
}

function print(wanted: readonly Row[], measured: readonly (readonly PublishMeasurement[])[], what: string): void {
  const [floors = [], contracts = []] = measured;
  const lines = wanted.map(({ what: name }, index) => {
    const all = measured[index] ?? [];
    const middle = (key: keyof PublishMeasurement): number => median(all.map((one) => one[key]));
    return {
      name,
      count: middle('count'),
      ms: middle('ms'),
      CPU: middle('cpuMs'),
      '× floor': ratio(all, floors, 'ms'),
      '× floor CPU': ratio(all, floors, 'cpuMs'),
      '× contract': ratio(all, contracts, 'ms'),
      '× contract CPU': ratio(all, contracts, 'cpuMs'),
      'CPU each': median(all.map((one) => one.cpuMs / one.count)),
      'loop kept ms': middle('keptMs'),
      'loop kept CPU': middle('keptCpuMs'),
      'peak RSS MB': middle('peakRssMb'),
    };
  });
  const machine = `Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}`;
  if (values.json) {
    console.log(JSON.stringify({ machine, what, runs: Number(values.runs), rows: lines, measured }, null, 2));
    return;
  }
  console.log(`\nPublishing ${what} from fresh processes (${machine}, medians of ${values.runs} alternating rounds, warm disk cache)\n`);
  const titles = Object.keys(lines[0] ?? {}) as (keyof (typeof lines)[number])[];
  const cells = [titles, ...lines.map((line) => titles.map((title) => cell(line[title])))];
  const widths = titles.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  for (const line of cells)
    console.log(
      line.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join('  '),
    );
  console.log(
    '\nfloor      read every file of every skill once and hash it, one after another; they are not looked for' +
      '\ncontract   list the skills, get each, read each of its files as a whole through the source, and hash it' +
      '\nkept       the longest that something else had to wait for the event loop, by the clock and by the processor time of the thread' +
      '\nCPU        processor time of the whole process in milliseconds\n',
  );
}

/** Of each round by itself: a busy moment of the computer falls on both. */
function ratio(all: readonly PublishMeasurement[], floors: readonly PublishMeasurement[], key: 'ms' | 'cpuMs'): number {
  return median(all.map((one, run) => one[key] / (floors[run]?.[key] ?? Number.NaN)));
}

function cell(value: string | number): string {
  if (typeof value !== 'number') return value;
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
}
