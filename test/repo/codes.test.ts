import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

/** Codes of errors and diagnostics that no test names. Reach one, and take it away here; add none. */
const reachedByNone = ['chat-failed', 'lock-not-updated', 'not-found', 'plugins-truncated', 'skill-md-not-checked', 'steps-not-checked'];

const givesCode =
  /(?:\bcode: |\bnew SkillError\(\s*|\brefuse\(\s*|\bdeviation\(\s*|\blog\.\w+\(\s*|\btell\(\s*)'(?<code>[a-z]+(?:-[a-z0-9]+)+)'/g;

it('a test names every code that the sources give, but those that are listed', () => {
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
  const named = new Set(tests.flatMap((file) => textOf(file).match(/[a-z]+(?:-[a-z0-9]+)+/g) ?? []));
  expect([...codes].filter((code) => !named.has(code)).toSorted()).toEqual(reachedByNone);
});
