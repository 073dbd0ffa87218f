import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scanImports } from '../../test/repo/scan-imports.ts';
import { publishedPackages, repositoryRoot } from '../workspace.ts';

/** The tests that may notice a change of a file, in the order in which they are tried. */
export interface RelatedTests {
  /** Those of its package. */
  readonly own: readonly string[];
  /** Those of other packages that are nearest to it. */
  readonly others: readonly string[];
  /** Laws that compare packages with one another. */
  readonly laws: readonly string[];
}

/**
 * A change that the nearest tests of other packages miss is seldom noticed by those further off.
 */
const mostOthers = 8;

/** Tests in which two ways to one answer are compared, or each option is tried. */
const laws = ['e2e/options.test.ts', 'e2e/parity.test.ts'];

/**
 * Finds the tests that import a file of the sources, directly or through others: the nearest first,
 * and of those as near the ones that share words with its name. All of its package where none does:
 * a worker or a program is loaded by its path.
 */
export function relatedTests(): (file: string) => RelatedTests {
  const entries = sourceEntries();
  const known = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const imports = scanImports(file, readFileSync(join(repositoryRoot, file), 'utf8')).flatMap(({ specifier }) => {
      if (specifier === null) return [];
      const target = specifier.startsWith('.') ? join(dirname(file), specifier) : entries.get(specifier);
      return target !== undefined && target.endsWith('.ts') && existsSync(join(repositoryRoot, target)) ? [target] : [];
    });
    known.set(file, imports);
    return imports;
  };
  const importing = (file: string, tests: readonly string[]): readonly string[] =>
    tests
      .map((test) => ({ test, steps: stepsTo(test, file, importsOf), shared: sharedWords(test, file) }))
      .filter(({ steps }) => steps < Infinity)
      .toSorted((one, other) => one.steps - other.steps || other.shared - one.shared)
      .map(({ test }) => test);
  const all = globSync('packages/*/test/**/*.test.ts', { cwd: repositoryRoot }).toSorted();
  return (file) => {
    const inPackage = (test: string): boolean => test.startsWith(`${file.split('/').slice(0, 2).join('/')}/`);
    const others = importing(
      file,
      all.filter((test) => !inPackage(test)),
    ).slice(0, mostOthers);
    const near = importing(file, all.filter(inPackage));
    return { own: near.length + others.length > 0 ? near : all.filter(inPackage), others, laws: importing(file, laws) };
  };
}

/**
 * How many imports lead from one file to another: 1 where it imports it itself, `Infinity` where
 * none does.
 */
function stepsTo(from: string, to: string, importsOf: (file: string) => readonly string[]): number {
  const seen = new Set([from]);
  let reached = [from];
  for (let steps = 1; reached.length > 0; steps += 1) {
    reached = reached.flatMap(importsOf).filter((file) => !seen.has(file) && seen.add(file));
    if (seen.has(to)) return steps;
  }
  return Infinity;
}

function sharedWords(test: string, file: string): number {
  const wordsOf = (path: string): string[] => path.split('/').slice(3).join('-').split(/[-.]/);
  const words = new Set(wordsOf(file));
  return wordsOf(test).filter((word) => words.has(word) && word !== 'ts').length;
}

/** The source of every entry point of the packages, by the name that is imported. */
function sourceEntries(): Map<string, string> {
  return new Map(
    publishedPackages().flatMap(({ path, manifest }) =>
      Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
        const source = typeof target === 'string' ? undefined : target['@repertoire/source'];
        return source === undefined ? [] : [[join(manifest.name, entry), join(path, source)] as const];
      }),
    ),
  );
}
