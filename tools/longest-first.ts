import { dirname, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longTests } from '../test/long-tests.ts';
import { repositoryRoot } from './workspace.ts';

/**
 * Begins with the tests that are known to take longest. The others keep Vitest's order, in which those of one project follow each other, but folder by folder: files of one
 * use the same modules, which a process then loads once.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byFolder = Map.groupBy(sorted, ({ project, moduleId }) => `${project.name} ${folderOf(moduleId)}`);
    return [...byFolder.values()].flat().toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longTests.indexOf(relative(repositoryRoot, moduleId));
  return place === -1 ? longTests.length : place;
}

/** `packages/skills-core`, `test/repo` or `e2e`. */
function folderOf(moduleId: string): string {
  return relative(repositoryRoot, dirname(moduleId)).split('/').slice(0, 2).join('/');
}
