/**
 * Changes the sources one small step at a time and runs the tests that should notice. The work is done in a copy, so that nothing here
 * changes.
 *
 * - `node tools/mutate.ts core [START-OF-NAME…]`: the list in `test/mutants/core.ts`, or those of its mutants.
 * - `node tools/mutate.ts --random 300 [--seed 1] [--package skill-fs]`: that many of all changes that the structure of the code allows,
 *   each against the tests of its own package that import the file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from '../test/mutants/mutant.ts';
import { copiedRepository } from './mutants/copied-repository.ts';
import { pickMutants } from './mutants/pick-mutants.ts';
import { relatedTests } from './mutants/related-tests.ts';
import { repositoryRoot } from './workspace.ts';

/** One change to try, whatever it comes from. */
interface Trial {
  readonly name: string;
  readonly file: string;
  /** `null` where the place is not there. */
  readonly change: (source: string) => string | null;
  /** Run one after another, up to the first failure. */
  readonly tests: readonly (readonly string[])[];
  readonly equivalent?: string | undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { random: { type: 'string' }, seed: { type: 'string', default: '1' }, package: { type: 'string' } },
});
const trials = values.random === undefined ? await listedTrials(positionals) : randomTrials(Number(values.random), Number(values.seed));
const copy = await copiedRepository();

/** Test files that pass while nothing is changed. */
const passing = new Set<string>();
const survivors: string[] = [];
const misplaced: string[] = [];
for (const { name, file, change, tests, equivalent } of trials) {
  const result = await copy.runChanged(file, change, tests);
  if (result?.failedFile !== undefined) await assertPasses(result.failedFile);
  const outcome = result === null ? 'misplaced' : result.ok ? 'survived' : 'killed';
  if (outcome === 'survived') survivors.push(name);
  if (outcome === 'misplaced') misplaced.push(name);
  const isExpected = outcome === (equivalent === undefined ? 'killed' : 'survived');
  if (!isExpected) process.exitCode = 1;
  console.log(`${isExpected ? ' ' : '!'} ${outcome.padEnd(9)} ${name}${equivalent === undefined ? '' : ` (equivalent: ${equivalent})`}`);
}
const notKilled = [...survivors, ...misplaced];
console.log(`${trials.length - notKilled.length} killed, ${notKilled.length} not${notKilled.map((name) => `\n  ${name}`).join('')}`);

async function listedTrials([list = '', ...only]: readonly string[]): Promise<readonly Trial[]> {
  const listFile = join(repositoryRoot, 'test/mutants', `${list}.ts`);
  if (!existsSync(listFile))
    refuse(`There is no list test/mutants/${list}.ts. Call: node tools/mutate.ts LIST [START-OF-NAME…], or --random N`);
  const { mutants } = (await import(listFile)) as { readonly mutants: readonly Mutant[] };
  const unknown = only.filter((start) => !mutants.some(({ name }) => name.startsWith(start)));
  if (unknown.length > 0) refuse(`The list has no mutant whose name begins with ${unknown.join(', ')}.`);
  return mutants
    .filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)))
    .map(({ name, file, from, to, tests, equivalent }) => ({
      name,
      file,
      tests: [tests],
      equivalent,
      change: (source) => (source.split(from).length === 2 ? source.replace(from, () => to) : null),
    }));
}

function randomTrials(count: number, seed: number): readonly Trial[] {
  if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) refuse('--random and --seed want whole numbers.');
  const { picked, of } = pickMutants(count, seed, values.package);
  console.log(`${picked.length} of ${of} mutants, seed ${seed}`);
  const testsOf = relatedTests();
  return picked.map(({ name, file, start, end, to }) => {
    const tests = testsOf(file);
    // Most mutants fail in the tests that are next to the file, which take a fraction of the time.
    return {
      name,
      file,
      tests: tests.length > 3 ? [tests.slice(0, 3), tests.slice(3)] : [tests],
      change: (source) => `${source.slice(0, start)}${to}${source.slice(end)}`,
    };
  });
}

/** A test that fails anyway would seem to notice everything. */
async function assertPasses(test: string): Promise<void> {
  if (passing.has(test)) return;
  const { ok, output } = await copy.run([test]);
  if (!ok) refuse(`${test} fails without any mutant:\n${output.slice(-4_000)}`);
  passing.add(test);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
