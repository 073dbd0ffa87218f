/**
 * `node tools/check-patterns.ts`: looks for patterns of the packages whose time grows faster than the text that they look at, by recheck. Where a pattern is only
 * ever given short texts, a comment `// recheck: reason` above it says so. Ends with exit code 1 if one was found.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patternsOf, type WrittenPattern } from './patterns-of.ts';
import { repositoryRoot } from './workspace.ts';

// Plain JavaScript: neither a virtual machine nor a binary has to be there.
process.env['RECHECK_BACKEND'] = 'pure';
const { check } = await import('recheck');

/** Limits are steps and not times, so that a busy machine does not change what is found. */
const params = { timeout: 300_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

const patterns = globSync('packages/*/src/**/*.ts', { cwd: repositoryRoot })
  .toSorted()
  .flatMap((file) => patternsOf(file, readFileSync(join(repositoryRoot, file), 'utf8')));
const distinct = Map.groupBy(patterns, ({ source, flags }) => `/${source}/${flags}`);
let allowed = 0;
for (const [pattern, places] of distinct) {
  const [first] = places;
  if (first === undefined) continue;
  const open = places.filter(({ reason }) => reason === undefined);
  allowed += places.length - open.length;
  if (open.length === 0) continue;
  const result = await check(first.source, first.flags, params);
  if (result.status === 'safe') continue;
  process.exitCode = 1;
  const why =
    result.status === 'vulnerable'
      ? `${result.complexity.summary}, such as by ${result.attack.pattern.slice(0, 200)}`
      : `unknown: ${result.error.kind}`;
  console.error(`${open.map(placeOf).join(', ')}: ${pattern.slice(0, 200)}\n  ${why}`);
}
console.log(`${distinct.size} patterns, ${allowed} places with a reason.`);
if (process.exitCode === 1) {
  console.error(
    'Trim by a loop, look at the length first, or write what cannot match in two ways. Where only short texts come, say so above it: // recheck: reason',
  );
}

function placeOf({ file, line }: WrittenPattern): string {
  return `${file}:${line}`;
}
