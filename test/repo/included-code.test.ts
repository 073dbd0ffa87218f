import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { includeProblems, withIncludedCode } from '../../tools/include-code.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { extractSnippets } from './extract-snippets.ts';

describe('code that pages include', () => {
  it('is that of the files', () => {
    expect(includeProblems()).toEqual([]);
    const page = readFileSync(join(repositoryRoot, 'docs/guide/chat.md'), 'utf8');
    expect(page.match(/<!-- include: /g)?.length).toBeGreaterThan(1);
  });

  it('is replaced, and nothing else; a missing file and a missing block are told', () => {
    const page = 'A\n\n<!-- include: a.ts -->\n\n```ts\nold\n```\n\nB\n';
    expect(withIncludedCode(page, () => 'new\n')).toEqual({ text: page.replace('old', 'new'), problems: [] });
    expect(withIncludedCode(page, () => null).problems).toEqual(['There is no file a.ts.']);
    expect(withIncludedCode('<!-- include: a.ts -->\n', () => 'new').problems).toEqual([
      'No block of code stands below the comment for a.ts.',
    ]);
  });

  it('is left to the tests of its file by those of snippets', () => {
    const page = '<!-- include: a.ts -->\n\n```ts\nincluded\n```\n\n```ts\nown\n```\n';
    expect(extractSnippets('a.md', page).snippets.map(({ code }) => code)).toEqual(['own']);
  });
});
