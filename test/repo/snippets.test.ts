import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { checkSnippets } from './check-snippets.ts';
import { extractSnippets } from './extract-snippets.ts';
import { trackedFiles } from './tracked-files.ts';

const documents = ['*.md', 'docs/**/*.md', 'packages/*/*.md', 'packages/*/docs/**/*.md', 'examples/*/*.md', 'packages/*/src/**/*.ts'];

describe('code in documents', () => {
  const extracted = trackedFiles()
    .filter((path) => documents.some((pattern) => matchesGlob(path, pattern)))
    .map((path) => extractSnippets(path, readFileSync(join(repositoryRoot, path), 'utf8')));
  const snippets = extracted.flatMap((document) => document.snippets);

  it('is marked so that it is checked', () => {
    expect(extracted.flatMap((document) => document.problems)).toEqual([]);
    expect(snippets).not.toEqual([]);
  });

  it('type-checks, in Markdown and in docstrings', async () => {
    expect(await checkSnippets(snippets)).toEqual([]);
  });
});

describe('extractSnippets', () => {
  it('finds the block, its line and its hidden setup', () => {
    const text = [
      '# Title',
      '',
      '<!-- setup: declare const x: number;',
      'declare const y: number; -->',
      '',
      '```ts',
      'x + y;',
      '```',
      '```sh',
      'ls',
      '```',
    ];
    expect(extractSnippets('a.md', text.join('\n'))).toEqual({
      snippets: [{ path: 'a.md', line: 7, code: 'x + y;', setup: 'declare const x: number;\ndeclare const y: number;' }],
      problems: [],
    });
  });

  it('finds why a block is not run, above its setup or below', () => {
    const setup = '<!-- setup: declare const x: number; -->';
    const notRun = '<!-- not run: It is a test: a runner runs it. -->';
    const extracted = [`${notRun}\n\n${setup}`, `${setup}\n${notRun}`].map((above) =>
      extractSnippets('a.md', `${above}\n\n\`\`\`ts\nx;\n\`\`\``),
    );
    for (const { snippets: found } of extracted)
      expect(found).toMatchObject([{ setup: 'declare const x: number;', notRun: 'It is a test: a runner runs it.' }]);
  });

  it('finds the block of a docstring', () => {
    const text = [
      '/**',
      ' * Adds.',
      ' *',
      ' * @example',
      ' * ```ts',
      ' * if (a) {',
      ' *   add();',
      ' *',
      ' * }',
      ' * ```',
      ' */',
      'export const a = `',
      '```ts',
      '`;',
    ];
    expect(extractSnippets('a.ts', text.join('\n')).snippets).toEqual([
      { path: 'a.ts', line: 6, code: 'if (a) {\n  add();\n\n}', setup: '' },
    ]);
  });

  it.each(['ts no-check', 'typescript', 'js'])('refuses a block marked %s', (info) => {
    expect(extractSnippets('a.md', `\`\`\`${info}\nx\n\`\`\``).problems).toHaveLength(1);
  });
});
