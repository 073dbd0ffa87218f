import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longTests } from '../test/long-tests.ts';
import { repositoryRoot } from './workspace.ts';

/** Begins with the tests that are known to take longest. The others stay in Vitest's order, in which those of one project follow each other and share a process. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longTests.indexOf(relative(repositoryRoot, moduleId));
      return place === -1 ? longTests.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
