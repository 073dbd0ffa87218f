import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace.ts';

/** What came of one change. */
export interface TriedMutant {
  readonly date: string;
  readonly commit: string;
  readonly seed: number;
  /** `skill-fs/walk-folder.ts:31 comparison: < becomes <=`. */
  readonly name: string;
  readonly noticed: boolean;
}

const kept = 1000;
const dataFile = join(repositoryRoot, 'test/mutants/tried.jsonl');
const pageFile = join(repositoryRoot, 'docs/reference/mutants.md');

/** Keeps the last thousand tried changes, and writes their page. */
export function recordTried(tried: readonly TriedMutant[]): void {
  const all = [...triedMutants(), ...tried].slice(-kept);
  writeFileSync(dataFile, all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  writeFileSync(pageFile, triedPage(all));
}

/** The last tried changes, the newest last. */
export function triedMutants(): readonly TriedMutant[] {
  if (!existsSync(dataFile)) return [];
  return readFileSync(dataFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TriedMutant);
}

/** The text of docs/reference/mutants.md. */
export function triedPage(tried: readonly TriedMutant[]): string {
  const byPackage = Map.groupBy(tried, ({ name }) => name.split('/')[0] ?? '');
  const rows = [...byPackage].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, some]) => rowOf(name, some));
  const [first, last] = [tried.at(0)?.date ?? 'never', tried.at(-1)?.date ?? 'never'];
  return `# What the tests notice

One small change of the code at a time (\`<\` becomes \`<=\`, a call goes away), drawn at random, and
the tests of its package, the nearest eight test files of other packages, and the tests that compare
packages. The seed is the commit, so nobody has worked on the list before. A change that no test
notices counts as a survivor, also where it changes nothing that can be seen.

The last ${tried.length} that were tried, from ${first} to ${last}:

| package | tried | noticed | share |
| --- | --- | --- | --- |
${rows.join('\n')}
${rowOf('**all**', tried)}

\`node tools/mutate.ts --random 120 --record\` tries more and writes this page. CI tries twelve in the
files that a change touched, and prints the share.
`;
}

function rowOf(name: string, some: readonly TriedMutant[]): string {
  const noticed = some.filter((one) => one.noticed).length;
  return `| ${name} | ${some.length} | ${noticed} | ${((100 * noticed) / Math.max(1, some.length)).toFixed(0)} % |`;
}
