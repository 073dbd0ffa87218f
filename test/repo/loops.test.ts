import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { emptyLoops } from './empty-loops.ts';
import { trackedFiles } from './tracked-files.ts';

it('a test whose assertions all stand in loops loops over what is surely not empty', () => {
  const files = trackedFiles().filter((path) => path.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((path) => emptyLoops(path, readFileSync(join(repositoryRoot, path), 'utf8')));
  expect(found).toEqual([]);
});
