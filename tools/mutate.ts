/**
 * Changes the sources one small step at a time and runs the tests that should notice: `node tools/mutate.ts core`, for the list in
 * `test/mutants/core.ts`. Beginnings of names behind it run the mutants with these names only. The work is done in a copy, so that nothing here changes.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Mutant } from '../test/mutants/mutant.ts';
import { runCommand, type CommandResult } from './run-command.ts';
import { repositoryRoot } from './workspace.ts';

const [list = '', ...only] = process.argv.slice(2);
const listFile = join(repositoryRoot, 'test/mutants', `${list}.ts`);
if (!existsSync(listFile)) {
  console.error(`There is no list test/mutants/${list}.ts. Call: node tools/mutate.ts LIST [START-OF-NAME…]`);
  process.exit(2);
}
const { mutants } = (await import(listFile)) as { readonly mutants: readonly Mutant[] };
const chosen = mutants.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));
const unknown = only.filter((start) => !mutants.some(({ name }) => name.startsWith(start)));
if (unknown.length > 0) {
  console.error(`The list has no mutant whose name begins with ${unknown.join(', ')}.`);
  process.exit(2);
}

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-mutants-')));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
await copyRepository();

// A test that fails anyway would seem to notice everything.
const baseline = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))]);
if (!baseline.ok) {
  // What comes behind the first failure is mostly a list of tests that did not run.
  const start = Math.max(0, baseline.output.indexOf(' FAIL '));
  console.error(`The tests fail without any mutant:\n${baseline.output.slice(start, start + 4_000)}`);
  process.exit(2);
}

const survivors: string[] = [];
const killed: string[] = [];
for (const mutant of chosen) {
  const outcome = await tryMutant(mutant);
  (outcome === 'killed' ? killed : survivors).push(mutant.name);
  const isExpected = (outcome === 'survived') === (mutant.equivalent !== undefined) && outcome !== 'misplaced';
  if (!isExpected) process.exitCode = 1;
  console.log(
    `${isExpected ? ' ' : '!'} ${outcome.padEnd(9)} ${mutant.name}${mutant.equivalent === undefined ? '' : ` (equivalent: ${mutant.equivalent})`}`,
  );
}
console.log(`${killed.length} killed, ${survivors.length} not${survivors.length === 0 ? '' : `: ${survivors.join(', ')}`}`);

async function tryMutant({ file, from, to, tests }: Mutant): Promise<'killed' | 'survived' | 'misplaced'> {
  const path = join(copy, file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (source.split(from).length !== 2) return 'misplaced';
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return (await runTests(tests)).ok ? 'survived' : 'killed';
  } finally {
    writeFileSync(path, source);
  }
}

function runTests(tests: readonly string[]): Promise<CommandResult> {
  return runCommand(['node', 'node_modules/vitest/vitest.mjs', 'run', '--bail', '1', ...tests], { directory: copy });
}

/** Copies what Git knows or would know, and links what is installed; packages of this workspace are linked to their copies. */
async function copyRepository(): Promise<void> {
  const { output } = await runCommand(['git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  for (const file of output.split('\0').filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(copy, file));
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const name of readdirSync(join(repositoryRoot, 'packages'))) linkInstalled(join('packages', name, 'node_modules'));
  linkInstalled(join('e2e', 'node_modules'));
}

function linkInstalled(folder: string): void {
  const from = join(repositoryRoot, folder);
  if (!existsSync(from)) return;
  mkdirSync(join(copy, folder), { recursive: true });
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith('.'))) {
    const entry = join(from, name);
    if (name.startsWith('@') && !lstatSync(entry).isSymbolicLink()) {
      linkInstalled(join(folder, name));
      continue;
    }
    const inside = relative(repositoryRoot, realpathSync(entry));
    symlinkSync(inside.startsWith('packages') ? join(copy, inside) : realpathSync(entry), join(copy, folder, name));
  }
}
