import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { longTests } from '../long-tests.ts';
import { slowTests } from '../slow-tests.ts';

it('the slow tests are files of packages that are there, each once', () => {
  expect(slowTests.filter((path) => !/^packages\/.*\.test\.ts$/.test(path) || !existsSync(join(repositoryRoot, path)))).toEqual([]);
  expect(slowTests).toEqual([...new Set(slowTests)].toSorted());
});

it('the long tests are files that are there, each once', () => {
  expect(longTests.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  expect(longTests).toEqual([...new Set(longTests)]);
});
