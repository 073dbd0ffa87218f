import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { extractSnippets, type Snippet } from './extract-snippets.ts';
import { placeOf, runSnippets, type RunnableSnippet } from './run-snippets.ts';
import { notRun, runs } from './snippet-runs.ts';
import { trackedFiles } from './tracked-files.ts';

const documents = ['README.md', 'docs/**/*.md'];
const snippets = trackedFiles()
  .filter((path) => documents.some((pattern) => matchesGlob(path, pattern)))
  .flatMap((path) => extractSnippets(path, readFileSync(join(repositoryRoot, path), 'utf8')).snippets);

const isAbout =
  ({ path, code }: Snippet) =>
  (note: { readonly path: string; readonly has: string }): boolean =>
    note.path === path && code.includes(note.has);

describe('code in the documentation', () => {
  it('is run, or is said why it cannot be', () => {
    const unused = [...notRun, ...runs].filter((note) => !snippets.some((snippet) => isAbout(snippet)(note)));
    expect(unused).toEqual([]);
    expect(notRun.length).toBeLessThan(snippets.length / 10);
  });

  it('does what it says, with scripted models, in folders of its own', { timeout: 120_000 }, async () => {
    const runnable: RunnableSnippet[] = snippets
      .filter((snippet) => !notRun.some(isAbout(snippet)))
      .map((snippet) => ({ ...snippet, ...runs.find(isAbout(snippet)), path: snippet.path }));
    expect(await runSnippets(runnable)).toEqual({});
  });
});

describe('runSnippets', () => {
  it('tells which one failed and why, in whichever way', { timeout: 60_000 }, async () => {
    const snippet = (line: number, code: string, after?: string): RunnableSnippet => ({
      path: 'a.md',
      line,
      code,
      setup: 'declare const no: number;',
      after,
    });
    const failed = await runSnippets([
      snippet(1, 'export const fine: string = await Promise.resolve("x");'),
      snippet(2, 'console.log(no);'),
      snippet(3, 'export const f = () => 1;', 'if (f() !== 2) throw new Error("f is wrong");'),
      snippet(4, 'import { nothing } from "@repertoire/skills-core"; nothing();'),
      snippet(5, 'await fetch("https://example.com/");'),
    ]);
    expect(Object.keys(failed)).toEqual([2, 3, 4, 5].map((line) => placeOf({ path: 'a.md', line })));
    expect(failed['a.md:3']).toBe('Error: f is wrong');
    expect(failed['a.md:5']).toContain('example.com, which is not there');
  });
});
