/**
 * Measures Repertoire and its nearest peers, and writes `docs/benchmarks.md`, `docs/benchmarks-rows.md` with its charts, and the figures in `README.md`. Run `npx -y pnpm@12.21.0 bench:peers` from the root of the repository.
 *
 * `--quick` measures one round on small folders, `--only <row or part>` some rows (names, separated by commas). Both print their tables and write nothing,
 * unless `--out <folder>` says where to. `--json` prints the figures as JSON.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { charts } from './charts.ts';
import { measureConversation } from './conversation.ts';
import { makeFolders, type SkillFolder } from './folders.ts';
import { installedVersions, thisMachine } from './machine.ts';
import { page, readmeWith, rowsPage } from './page.ts';
import type { Report } from './report.ts';
import { Results } from './results.ts';
import { groups, rows, type GroupId, type Row } from './rows.ts';
import { runFolder, type CountTokens } from './run-folders.ts';
import { runBundles, runCheckpoints, runSearch, runSites } from './run-others.ts';
import { rowTable, summaryTable } from './tables.ts';

const repository = path.resolve(import.meta.dirname, '../../..');
const documents = path.join(repository, 'docs');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const isQuick = values.quick;

const problem = findProblem();
if (problem === undefined) await main();
else {
  console.error(problem);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const began = performance.now();
  const machine = thisMachine();
  const results = new Results();
  const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'repertoire-peers-')));
  try {
    await measure(results, workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true, maxRetries: 3 });
  }
  const conversation = values.only === undefined ? await measureConversation() : undefined;
  const minutes = (performance.now() - began) / 60_000;
  const { columns, remarks } = results;
  const report: Report = { machine, versions: installedVersions(), minutes, columns, cells: results.cells(), remarks, conversation };
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else print(report);
  const out = values.out ?? (isQuick || values.only !== undefined ? undefined : documents);
  if (out !== undefined) write(report, path.resolve(process.env['INIT_CWD'] ?? '.', out));
}

async function measure(results: Results, workspace: string): Promise<void> {
  const progress = (text: string): void =>
    console.error(`${new Date().toISOString().slice(11, 19)}  load ${loadavg()[0]?.toFixed(1)}  ${text}`);
  const wanted = new Set(chosenRows().map(({ group }) => group));
  const wants = (...some: readonly GroupId[]): boolean => some.some((group) => wanted.has(group));
  const options = { workspace, isQuick, progress };
  progress('writing folders of skills');
  const folders = await makeFolders(workspace, isQuick);
  // What was written within two seconds counts as about to change, and is not kept from one listing to the next.
  await setTimeout(2_500);

  if (wants('fresh', 'warm', 'skill', 'text', 'memory')) {
    const countTokens = await tokenCounter();
    for (const folder of folders) await runFolder(folder, results, { ...options, rounds: isQuick ? 1 : 7, countTokens });
  }
  const find = (id: string): SkillFolder | undefined => folders.find((folder) => folder.id === id);
  if (wants('checkpoint')) {
    const folder = find(isQuick ? 'generated-100' : 'generated-1000');
    if (folder !== undefined) await runCheckpoints(folder, results, options);
  }
  if (wants('search')) await runSearch(results, options);
  if (wants('http', 'mcp')) {
    for (const id of isQuick ? ['generated-100'] : ['generated-100', 'generated-1000', 'real']) {
      const folder = find(id);
      if (folder !== undefined) await runSites(folder, isQuick ? 1 : 2, results, options);
    }
  }
  if (wants('bundle')) await runBundles(results, options);
}

function print(report: Report): void {
  const { machine } = report;
  const text = chosenRows().map((row) => `### ${row.title} (${row.id})\n\n${row.what}\nFloor: ${row.floor}\n\n${rowTable(row, report)}`);
  console.log(`${[...text, `### Summary\n\n${summaryTable(report, chosenRows())}`].join('\n\n')}\n`);
  console.log(
    `${machine.date}, commit ${machine.commit}, Node.js ${machine.node}, ${machine.processor}, ${machine.memoryGb} GB, ${machine.system}`,
  );
  console.log(report.versions.map(([, version]) => version).join(', '));
  console.log(
    `${report.minutes.toFixed(1)} minutes; ${report.columns.map(({ title, load }) => `${title}: load ${load?.toFixed(1) ?? '–'}`).join('; ')}`,
  );
}

function write(report: Report, folder: string): void {
  mkdirSync(path.join(folder, 'pictures'), { recursive: true });
  writeFileSync(path.join(folder, 'benchmarks.md'), page(report));
  writeFileSync(path.join(folder, 'benchmarks-rows.md'), rowsPage(report));
  for (const chart of charts) writeFileSync(path.join(folder, 'pictures', chart.file), chart.svg(report));
  const readme = path.join(repository, 'README.md');
  if (folder === documents) writeFileSync(readme, readmeWith(report, readFileSync(readme, 'utf8')));
  console.error(`Written: ${path.join(folder, 'benchmarks.md')}, benchmarks-rows.md and ${charts.length} charts.`);
}

/** The rows of `--only`: by their names, or by that of their part. */
function chosenRows(): readonly Row[] {
  const names = values.only?.split(',');
  return names === undefined ? rows : rows.filter(({ id, group }) => names.includes(id) || names.includes(group));
}

function findProblem(): string | undefined {
  const known = new Set<string>([...rows.map(({ id }) => id), ...Object.keys(groups)]);
  const unknown = values.only?.split(',').filter((name) => !known.has(name)) ?? [];
  if (unknown.length > 0) return `There is no row ${unknown.join(', ')}. There are ${[...known].join(', ')}.`;
  if (!existsSync(path.join(repository, 'packages/skill-fs/dist'))) return 'The packages are not built. Run `npx -y pnpm@12.21.0 build`.';
  return undefined;
}

async function tokenCounter(): Promise<CountTokens> {
  // The packages of this folder are no part of the project, so that the compiler does not know them.
  const name = 'gpt-tokenizer/encoding/o200k_base';
  const { countTokens } = (await import(name)) as { readonly countTokens: CountTokens };
  return countTokens;
}
