import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

/** What people copy from: documents, and code that stands for a program of theirs. */
const shown = [
  '*.md',
  'docs/**',
  'examples/**',
  'packages/*/*.md',
  'packages/*/docs/**',
  'packages/skills-testkit/test/guide/**',
  'site/**',
];

/**
 * A program of this repository, released with it: it shows texts that an adapter makes, and nobody
 * copies from it.
 */
const playground = 'site/src/read-skill.ts';

/** What adapters take that promises nothing. */
const ours = `assertKnownOptions hashText isJsonObject messageOf numberOption nodeBuiltin revisionOf sourceFailed
  forkFailureText forkHandedBack forkNeedsPersonText modelNamed newestOfEach skillEventOf
  notAnsweredText notAskedText notRunText ranAlreadyText tooManyQuestionsText unknownOutcomeStart unknownOutcomeText
  HeldConnections ServerConnection serversOfSkill`.split(/\s+/);

/** An import of what is not promised, in code, in a block of code, or computed when it runs. */
const internalImport = /(?:\bfrom|\bimport\()\s*\\?['"]@repertoire\/[a-z-]+\/internal\\?['"]/;

describe('entry points that promise nothing', () => {
  it('are imported by no document and no example', () => {
    const files = trackedFiles().filter((path) => path !== playground && shown.some((pattern) => matchesGlob(path, pattern)));
    expect(files.length).toBeGreaterThan(100);
    const found = files.filter((path) => internalImport.test(readFileSync(join(repositoryRoot, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('give adapters nothing that somebody else needs for one: helpers that know no skill, texts of the chat, and when connections to the servers of cardToolsOf are closed', () => {
    const values = trackedFiles()
      .filter((path) => matchesGlob(path, 'packages/adapter-*/src/**'))
      .flatMap((path) => [
        ...readFileSync(join(repositoryRoot, path), 'utf8').matchAll(/^import \{([^}]*)\} from '@repertoire\/[a-z-]+\/internal'/gm),
      ])
      .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
      .filter((name) => name !== '' && !name.startsWith('type '));
    expect([...new Set(values)].filter((name) => !ours.includes(name)).toSorted()).toEqual([]);
  });

  it.each([
    `import { deepFreeze } from '@repertoire/skills-core/internal';`,
    `export type { Pace } from "@repertoire/skills-core/internal";`,
    `const { toHex } = await import('@repertoire/skills-core/internal');`,
  ])('notices %s', (text) => {
    expect(internalImport.test(text)).toBe(true);
    expect(internalImport.test(text.replace('/internal', '/provider'))).toBe(false);
  });
});
