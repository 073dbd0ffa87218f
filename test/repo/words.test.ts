import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { longProseLines, wrapMarkdown } from '../../tools/wrap-markdown.ts';
import { trackedFiles } from './tracked-files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Words that are not used any more, in all their forms, and what to write instead. */
const retired = [
  'front matter', // frontmatter
  'vouch(?:es|ed|ing)?', // trust; cover, for signatures
  'precedence', // priority
  'mend(?:s|ed|ing)?', // repair, for reading; fix, for people
  'hears', // is called with, is notified of
  'lets? go of', // close, release
  'affairs?', // decision, responsibility
  'by nature', // always
  'slips? of the pen', // typo
  'comes? and go(?:es)?', // change at run time
  'owes?', // require, must
  'forgiven', // normalized, accepted
];

/** Files in which a retired word stands for another reason. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Sentences that a model reads: changing a byte costs every user's prompt cache.
  'packages/skills-core/src/prompt/model-texts.ts': ['vouch'],
  'packages/skills-core/src/prompt/search-texts.ts': ['vouch'],
  'docs/reference/tools.md': ['vouch'],
  'docs/guide/trust.md': ['vouch'],
  // The name of a variable.
  'packages/cli/src/commands/agent.ts': ['vouched'],
  // What a skill of the testkit claims of itself.
  'packages/skills-testkit/src/fixtures/frontmatter-libraries.ts': ['vouched'],
};

/** Markdown that is generated, published elsewhere, or input of tests. */
const isForeign = (path: string): boolean =>
  /(?:^|\/)(?:CHANGELOG\.md|fixtures|skills|\.changeset|test|e2e)(?:\/|$)/u.test(path) ||
  path.endsWith('CHANGELOG.md') ||
  ['docs/seeds.md', 'docs/benchmarks.md', 'docs/benchmarks-rows.md'].includes(path);

const markdown = (): string[] => trackedFiles().filter((path) => path.endsWith('.md') && !isForeign(path));
const sources = (): string[] => trackedFiles().filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/u.test(path));

/** The retired words in a text, with their lines. */
function retiredIn(text: string): { line: number; word: string }[] {
  const words = new RegExp(`\\b(?:${retired.join('|')})\\b`, 'giu');
  return text.split('\n').flatMap((content, index) => [...content.matchAll(words)].map(([word]) => ({ line: index + 1, word })));
}

describe('words', () => {
  it('no document, comment or message uses a retired word', () => {
    const found = [...markdown(), ...sources()].flatMap((path) =>
      retiredIn(read(path))
        .filter(({ word }) => !(allowed[path] ?? []).includes(word.toLowerCase()))
        .map(({ line, word }) => `${path}:${line} ${word}`),
    );
    expect(found).toEqual([]);
  });

  it('finds retired words in every form, and only whole words', () => {
    expect(retiredIn('It mends them.\nRecommended, front matter').map(({ line, word }) => `${line} ${word}`)).toEqual([
      '1 mends',
      '2 front matter',
    ]);
  });

  it('every exception is still needed', () => {
    expect(Object.keys(allowed).filter((path) => retiredIn(read(path)).length === 0)).toEqual([]);
  });
});

describe('lines', () => {
  it('Markdown prose has at most 100 columns: run `node tools/wrap-markdown.ts FILE…`', () => {
    const long = markdown().flatMap((path) => longProseLines(read(path)).map((line) => `${path}:${line}`));
    expect(long).toEqual([]);
  });

  it('wrapping breaks lines, keeps inline code whole, and leaves tables and code alone', () => {
    const word = 'word '.repeat(30).trim();
    expect(wrapMarkdown(`- ${word}`).split('\n')).toEqual([`- ${'word '.repeat(19).trim()}`, `  ${'word '.repeat(11).trim()}`]);
    const code = `\`${word}\``;
    expect(wrapMarkdown(`a ${code}`)).toBe(`a\n${code}`);
    const untouched = `| ${word} |\n\n\`\`\`\n${word}\n\`\`\``;
    expect(wrapMarkdown(untouched)).toBe(untouched);
  });
});
