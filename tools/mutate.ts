/**
 * Changes the sources one small step at a time and runs the tests that should notice. The work is done in a copy, so that nothing here
 * changes.
 *
 * - `node tools/mutate.ts core [START-OF-NAME…]`: the list in `test/mutants/core.ts`, or those of its mutants.
 * - `node tools/mutate.ts --random 300 [--seed 1] [--package skill-fs] [--changed]`: that many of all changes that the structure of the
 *   code allows, each against the tests of its own package that import the file, then the nearest of others. Without a seed it is the commit, so no list can be learned
 *   by heart. `--changed` takes files that the last day of commits changed, or those since the commit in `CHANGE_BASE`.
 *
 * `--from 60 --to 120` tries a part of them, so that a long run can stop and go on; `--seconds 60` begins none after a minute. `--record`
 * keeps what came of them in docs/reference/mutants.md. A change that makes tests hang ends at a limit, and is noticed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from '../test/mutants/mutant.ts';
import { slowTests } from '../test/slow-tests.ts';
import { copiedRepository } from './mutants/copied-repository.ts';
import { MutantTrials, type Trial } from './mutants/mutant-trials.ts';
import { changedSources, headCommit } from './mutants/changed-sources.ts';
import { pickMutants } from './mutants/pick-mutants.ts';
import { recordTried, type TriedMutant } from './mutants/record-tried.ts';
import { relatedTests } from './mutants/related-tests.ts';
import { repositoryRoot } from './workspace.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    random: { type: 'string' },
    seed: { type: 'string' },
    package: { type: 'string' },
    changed: { type: 'boolean', default: false },
    from: { type: 'string', default: '0' },
    to: { type: 'string' },
    seconds: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const { commit, date } = await headCommit();
const seed = values.seed === undefined ? Number.parseInt(commit.slice(0, 7), 16) : wholeNumber('seed');
const all = values.random === undefined ? await listedTrials(positionals) : await randomTrials(wholeNumber('random'));
const first = wholeNumber('from');
const slice = all.slice(first, values.to === undefined ? all.length : wholeNumber('to'));
if (slice.length === 0 && values.changed) {
  console.log('No source of a package changed.');
  process.exit();
}
if (slice.length === 0) refuse(`There is nothing to try: --from ${first} of ${all.length}.`);
const trials = new MutantTrials(await copiedRepository());

const endsAt = values.seconds === undefined ? Infinity : performance.now() + 1_000 * wholeNumber('seconds');
const survivors: string[] = [];
const misplaced: string[] = [];
const tried: TriedMutant[] = [];
for (const [index, trial] of slice.entries()) {
  const began = performance.now();
  if (began >= endsAt) break;
  const { outcome, by } = await trials.try(trial);
  const { equivalent } = trial;
  const name = `${first + index} ${trial.name}${equivalent === undefined ? '' : ` (equivalent: ${equivalent})`}`;
  if (outcome === 'survived') survivors.push(name);
  if (outcome === 'misplaced') misplaced.push(name);
  tried.push({ date, commit: commit.slice(0, 8), seed, name: trial.name, noticed: outcome === 'killed' });
  const isExpected = outcome === (equivalent === undefined ? 'killed' : 'survived');
  if (!isExpected) process.exitCode = 1;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${isExpected ? ' ' : '!'} ${outcome.padEnd(9)} ${String(seconds).padStart(3)} s  ${name}${by === undefined ? '' : ` by ${by}`}`,
  );
}

const noticed = tried.length - survivors.length - misplaced.length;
const share = `${noticed} of ${tried.length} noticed (${((100 * noticed) / Math.max(1, tried.length)).toFixed(1)} %)`;
console.log(`\n${share}, ${first} to ${first + tried.length} of ${all.length}`);
for (const [title, lines] of Object.entries({ survived: survivors, misplaced }))
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `- ${line}`).join('\n')}`);
for (const [test, output] of trials.leftOut) {
  process.exitCode = 1;
  console.log(`\n${test} fails without any mutant, and was left out:\n${output}`);
}
if (values.record && values.random !== undefined) recordTried(tried);

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

async function randomTrials(count: number): Promise<readonly Trial[]> {
  const { picked, of } = pickMutants(count, seed, values.package, values.changed ? await changedSources() : undefined);
  console.log(`${picked.length} of ${of} mutants, seed ${seed}`);
  const testsOf = relatedTests();
  return picked.map(({ name, file, start, end, to }) => {
    const { own: tests, others, laws } = testsOf(file);
    // Most mutants fail in the tests that are next to the file, and many of the others in quick ones.
    const isSlow = (test: string): boolean => slowTests.includes(test);
    const groups = [tests.slice(0, 3), tests.slice(3).filter((test) => !isSlow(test)), tests.slice(3).filter(isSlow), others, laws];
    return { name, file, tests: groups, change: (source) => `${source.slice(0, start)}${to}${source.slice(end)}` };
  });
}

function wholeNumber(option: 'random' | 'seed' | 'from' | 'to' | 'seconds'): number {
  const text = values[option] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(`--${option} wants a whole number.`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}
