import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { extractSnippets, filesOfPage, type Snippet } from './extract-snippets.ts';
import { placeOf, runSnippets, type RunnableSnippet } from './run-snippets.ts';
import { expectPrinted, runs, saidToBePrinted } from './snippet-runs.ts';
import { trackedFiles } from './tracked-files.ts';

const documents = ['README.md', 'docs/**/*.md', 'packages/*/README.md'];
const pages = trackedFiles()
  .filter((path) => documents.some((pattern) => matchesGlob(path, pattern)))
  .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));
const snippets = pages.flatMap(({ path, text }) => extractSnippets(path, text).snippets);

/** Pages for people who know another system: their files are shown, and whatever is said to be printed must be. */
const isOfSystem = ({ path }: Pick<Snippet, 'path'>): boolean => path.startsWith('docs/systems/');
const filesOf = new Map(pages.filter(isOfSystem).map(({ path, text }) => [path, filesOfPage(text)]));

const isAbout =
  ({ path, code }: Snippet) =>
  (note: { readonly path: string; readonly has: string }): boolean =>
    note.path === path && code.includes(note.has);

describe('code in the documentation', () => {
  it('is run, or its page says why it cannot be', () => {
    const unused = runs.filter((note) => !snippets.some((snippet) => isAbout(snippet)(note)));
    expect(unused).toEqual([]);
    const reasons = snippets.flatMap(({ notRun = [] }) => notRun);
    expect(reasons.filter((reason) => !/^.+ .+\.$/s.test(reason))).toEqual([]);
    expect(reasons.length).toBeLessThan(snippets.length / 10);
  });

  it('does what it says, with scripted models, in folders of its own', async () => {
    const runnable: RunnableSnippet[] = snippets
      .filter(({ notRun }) => notRun === undefined)
      .map((snippet) => ({
        ...snippet,
        ...(isOfSystem(snippet) && { after: expectPrinted(...saidToBePrinted(snippet.code)) }),
        ...runs.find(isAbout(snippet)),
        path: snippet.path,
        files: filesOf.get(snippet.path),
      }));
    expect(await runSnippets(runnable)).toEqual({});
  });

  it('of pages for people who know another system is run without exception, and prints what it says', () => {
    const ofSystems = snippets.filter(isOfSystem);
    expect(ofSystems.filter(({ notRun }) => notRun !== undefined)).toEqual([]);
    expect(ofSystems.filter(({ code }) => saidToBePrinted(code).length === 0).map(placeOf)).toEqual([]);
  });
});

describe('the first screen of a package', () => {
  const readmes = pages.filter(({ path }) => path.startsWith('packages/')).map(({ path, text }) => ({ path, text }));

  it.each(readmes)('$path has code that is whole, and says what to install for it', ({ path, text }) => {
    const [first] = extractSnippets(path, text).snippets;
    // What the reader does not see, they do not have.
    expect(first?.setup).toBe('');
    const installed = [...text.matchAll(/^npm install (?<names>.*)$/gm)].flatMap(({ groups }) => groups?.['names']?.split(' ') ?? []);
    expect(importedPackages(first?.code ?? '').filter((name) => !installed.includes(name))).toEqual([]);
  });
});

describe('runSnippets', () => {
  it('tells which one failed and why, in whichever way', async () => {
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

/** The packages that a module imports, without entry points and without what Node.js has. */
function importedPackages(code: string): string[] {
  const names = [...code.matchAll(/from '(?<name>[^'.][^']*)'/g)].map(({ groups }) => groups?.['name'] ?? '');
  return [
    ...new Set(names.filter((name) => !name.startsWith('node:')).map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))),
  ];
}
