/**
 * `node tools/attack-tables.ts [--update]`: writes the files of tests into the tables *attack, what happens, test* of `SECURITY.md` and the guides, or says which pages
 * are out of date. A row has the ids of its tests; where each of them is comes from the titles of the tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../test/repo/tracked-files.ts';
import { repositoryRoot } from './workspace.ts';

/** A test that runs an attack, by the id at the end of its title. */
export interface AttackTest {
  readonly file: string;
  readonly id: string;
  /** How it is declared, such as `it.each`. */
  readonly call: string;
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Cases that `testSkillAdapter` registers with `it` in each adapter. Their ids stand in comments, since authors of adapters do not need them. */
const adapterSuite = 'packages/skills-testkit/src/adapter/skill-adapter-cases.ts';

/** The tests with an id in their title, and the cases of adapters. */
export function attackTests(): readonly AttackTest[] {
  const ofAdapters = [...read(adapterSuite).matchAll(/^ +\/\/ (?<id>ATK-\d+)$/gm)].map(({ groups }) => ({
    file: adapterSuite,
    id: groups?.['id'] ?? '',
    call: 'it',
  }));
  const others = trackedFiles()
    .filter((file) => /(?:\.test|\/helpers\/[\w-]+)\.ts$/.test(file) && !file.endsWith('documents.test.ts'))
    .flatMap((file) => {
      const text = read(file);
      return [...text.matchAll(/\((?<id>ATK-\d+)\)['"`],/g)].map(({ groups, index }) => ({
        file,
        id: groups?.['id'] ?? '',
        // The declaration before the title: of a table, it is far above.
        call: [...text.slice(0, index).matchAll(/\b(?:it|test|describe)(?:\.\w+)*(?=[(<])/g)].at(-1)?.[0] ?? '',
      }));
    });
  return [...ofAdapters, ...others];
}

/** The pages that may have such tables. */
export function attackPages(): string[] {
  return ['SECURITY.md', ...trackedFiles().filter((path) => /^docs\/(?:guide|adapters|sources|reference)\/.*\.md$/.test(path))];
}

/** A page as its tests want it. An id that no test has keeps its file, so that the test of the tables names it. */
export function withTestFiles(page: string, tests: readonly AttackTest[]): string {
  const files = new Map(tests.map(({ id, file }) => [id, file]));
  return page.replaceAll(/`(?<written>[\w./-]+\.ts)`(?<ids>(?: ATK-\d+)+)/g, (_, written: string, ids: string) => {
    const groups = Map.groupBy(ids.trim().split(' '), (id) => files.get(id) ?? written);
    return [...groups].map(([file, own]) => `\`${file}\` ${own.join(' ')}`).join(', ');
  });
}

if (import.meta.main) {
  const tests = attackTests();
  const stale = attackPages().filter((path) => withTestFiles(read(path), tests) !== read(path));
  for (const path of stale) {
    if (process.argv.includes('--update')) writeFileSync(join(repositoryRoot, path), withTestFiles(read(path), tests));
    console.log(process.argv.includes('--update') ? `${path}: written` : `${path}: out of date; run with --update`);
  }
  if (stale.length > 0 && !process.argv.includes('--update')) process.exitCode = 1;
}
