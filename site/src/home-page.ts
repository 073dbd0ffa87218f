import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What stands on the home page above the list of pages. It is taken from the README and from the benchmarks, so that it cannot get out of date. */
export function homeText(): string {
  const readme = read('README.md');
  const install = /^```sh\nnpm install[^`]+```$/m.exec(readme)?.[0];
  const code = /^```ts\n[^`]+```$/m.exec(readme)?.[0];
  if (install === undefined || code === undefined) throw new Error('README.md has no block that installs, or no block of TypeScript.');
  return ['## Ten lines', install, code, '## Measured', benchmarkRows(), '[All rows](benchmarks.md), also those that others win.'].join(
    '\n\n',
  );
}

/** The first row of the table that compares, and those that are about the whole way to a catalog, about state and about search. */
function benchmarkRows(): string {
  const table = read('docs/benchmarks.md')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [head = '', rule = '', first = ''] = table;
  const wanted = ['Import, first listing and first catalog', 'All checkpoints of the conversation', 'The right skill comes first'];
  const rows = wanted.flatMap((start) => table.find((line) => line.startsWith(`| ${start}`)) ?? []);
  return [head, rule, first, ...rows].join('\n');
}
