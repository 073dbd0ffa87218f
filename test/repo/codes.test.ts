import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

/** Codes of errors and diagnostics that no test names. Reach one, and take it away here; add none. */
const reachedByNone = ['chat-failed', 'lock-not-updated', 'not-found', 'plugins-truncated', 'skill-md-not-checked', 'steps-not-checked'];

/**
 * Codes that no test names beside a case in which nothing is said. Add one, and take the code away
 * here; add none.
 */
const withoutOneBeside = [
  'bundle-malformed',
  'card-not-published',
  'file-duplicate',
  'grabbing-description',
  'ignored-paths',
  'near-name',
  'not-in-release',
  'plugin-conflict',
  'plugin-need-cycle',
  'plugin-need-missing',
  'release-mismatch',
  'skips-approval',
  'statement-malformed',
  'statement-too-large',
  'statement-unsupported',
  'subject-mismatch',
];

/** What a test expects where nothing is refused or told of. */
const expectsNothing =
  /(?:toEqual|toStrictEqual)\(\[\]\)|toHaveLength\(0\)|\bnot\.to|(?:diagnostics|errors|problems|findings): \[\]|\bcode: 0\b|\bok: true|\bresolves\b|\[\], |'none'|toBeNull|\btaken <-/;

const givesCode =
  /(?:\bcode: |\bnew SkillError\(\s*|\brefuse\(\s*|\bdeviation\(\s*|\blog\.\w+\(\s*|\btell\(\s*)'(?<code>[a-z]+(?:-[a-z0-9]+)+)'/g;

it('a test names every code that the sources give, and has a case beside it, but for those that are listed', () => {
  const files = trackedFiles();
  const textOf = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
  const codes = new Set(
    files
      .filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))
      .flatMap((file) => [...textOf(file).matchAll(givesCode)].map(({ groups }) => groups?.['code'] ?? '')),
  );
  expect(codes.size).toBeGreaterThan(250);
  const tests = files.filter(
    (file) =>
      /^(?:packages\/[^/]+\/test|packages\/skills-testkit\/src|e2e)\/.*\.(?:ts|json|md|snap)$/.test(file) ||
      /^test\/(?!repo\/codes)/.test(file),
  );
  const wordsOf = (file: string): readonly string[] => textOf(file).match(/[a-z]+(?:-[a-z0-9]+)+/g) ?? [];
  const named = new Set(tests.flatMap(wordsOf));
  expect([...codes].filter((code) => !named.has(code)).toSorted()).toEqual(reachedByNone);
  const beside = new Set(tests.filter((file) => expectsNothing.test(textOf(file))).flatMap(wordsOf));
  expect([...codes].filter((code) => named.has(code) && !beside.has(code)).toSorted()).toEqual(withoutOneBeside);
});
