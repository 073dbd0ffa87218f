/**
 * `node tools/check-patterns.ts [--all] [--update]`: looks for patterns of the packages whose time grows faster than the text that they look at, by recheck. Where a
 * pattern is only ever given short texts, a comment `// recheck: reason` above it says so. Ends with exit code 1 if one was found.
 *
 * A proof depends on the pattern and on recheck alone, and all of them take minutes. `tools/linear-patterns.json` lists what is proved, so that only other patterns
 * are looked at. `--all` proves every pattern again, `--update` writes the list.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { patternsOf, type WrittenPattern } from './patterns-of.ts';
import { repositoryRoot } from './workspace.ts';

/** What was proved, and by which version of recheck. */
interface LinearPatterns {
  readonly recheck: string;
  readonly patterns: readonly string[];
}

// Plain JavaScript: neither a virtual machine nor a binary has to be there.
process.env['RECHECK_BACKEND'] = 'pure';

/** Limits are steps and not times, so that a busy machine does not change what is found. */
const params = { timeout: 300_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, update: { type: 'boolean', default: false } } });
const listFile = join(repositoryRoot, 'tools/linear-patterns.json');
const listed = JSON.parse(readFileSync(listFile, 'utf8')) as LinearPatterns;
const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string };
const proved = new Set(values.all || listed.recheck !== version ? [] : listed.patterns);

const written = globSync('packages/*/src/**/*.ts', { cwd: repositoryRoot })
  .toSorted()
  .flatMap((file) => patternsOf(file, readFileSync(join(repositoryRoot, file), 'utf8')));
const distinct = Map.groupBy(written, ({ source, flags }) => `/${source}/${flags}`);
const linear: string[] = [];
let allowed = 0;
let looked = 0;
for (const [pattern, places] of distinct) {
  const open = places.filter(({ reason }) => reason === undefined);
  allowed += places.length - open.length;
  const [first] = open;
  if (first === undefined) continue;
  const problem = proved.has(pattern) ? undefined : await problemOf(first);
  if (!proved.has(pattern)) looked += 1;
  if (problem === undefined) {
    linear.push(pattern);
    continue;
  }
  process.exitCode = 1;
  console.error(`${open.map(placeOf).join(', ')}: ${pattern.slice(0, 200)}\n  ${problem}`);
}
if (values.update) writeFileSync(listFile, `${JSON.stringify({ recheck: version, patterns: linear.toSorted() }, undefined, 2)}\n`);
console.log(`${distinct.size} patterns, ${allowed} places with a reason; ${looked} looked at, the others were proved before.`);
if (looked > 0 && !values.all && !values.update) console.log('`node tools/check-patterns.ts --update` adds what is proved to the list.');
if (process.exitCode === 1) {
  console.error(
    'Trim by a loop, look at the length first, or write what cannot match in two ways. Where only short texts come, say so above it: // recheck: reason',
  );
}

/** What is wrong with a pattern, if anything. */
async function problemOf({ source, flags }: WrittenPattern): Promise<string | undefined> {
  // Loaded where it is needed: that takes longer than everything else here.
  const { check } = await import('recheck');
  const result = await check(source, flags, params);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `unknown: ${result.error.kind}`;
  return `${result.complexity.summary}, such as by ${result.attack.pattern.slice(0, 200)}`;
}

function placeOf({ file, line }: WrittenPattern): string {
  return `${file}:${line}`;
}
