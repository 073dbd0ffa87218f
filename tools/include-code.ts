/**
 * `node tools/include-code.ts [--update]`: writes files into the pages that show them, or says which pages are out of date. A page names the file right above the block:
 * `<!-- include: examples/ai-sdk-chat/src/chat.ts -->`. What stands there is a file that is type-checked and tested, so a page cannot drift from it.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './workspace.ts';

/** The comment above a block, with the path of the file. Snippet tests leave such a block to the tests of its file. */
export const includeComment: RegExp = /^<!-- include: (?<file>[\w./-]{1,200}) -->$/;

/** A page with its blocks as the files are now, and what is wrong with its comments. */
export function withIncludedCode(
  text: string,
  readFile: (path: string) => string | null,
): { readonly text: string; readonly problems: string[] } {
  const lines = text.split('\n');
  const problems: string[] = [];
  const written: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    written.push(lines[at] ?? '');
    const path = includeComment.exec(lines[at] ?? '')?.groups?.['file'];
    if (path === undefined) continue;
    const open = lines.findIndex((line, index) => index > at && line.trim() !== '');
    const close = lines.findIndex((line, index) => index > open && line === '```');
    const code = readFile(path);
    if (open === -1 || close === -1 || !/^```\w+$/.test(lines[open] ?? ''))
      problems.push(`No block of code stands below the comment for ${path}.`);
    else if (code === null) problems.push(`There is no file ${path}.`);
    else {
      written.push(...lines.slice(at + 1, open + 1), ...code.trimEnd().split('\n'), '```');
      at = close;
    }
  }
  return { text: written.join('\n'), problems };
}

/** The pages that can include code. */
export function pagesWithCode(root: string = repositoryRoot): string[] {
  return [...globSync('docs/**/*.md', { cwd: root }), ...globSync('packages/*/README.md', { cwd: root }), 'README.md'].toSorted();
}

/** What is not in order, by page. With `update`, pages are written first. */
export function includeProblems({
  root = repositoryRoot,
  update = false,
}: { readonly root?: string; readonly update?: boolean } = {}): string[] {
  return pagesWithCode(root).flatMap((page) => {
    const path = join(root, page);
    const before = readFileSync(path, 'utf8');
    const { text, problems } = withIncludedCode(before, (file) =>
      existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null,
    );
    if (update && text !== before) writeFileSync(path, text);
    const isOld = !update && text !== before;
    return [
      ...problems.map((problem) => `${page}: ${problem}`),
      ...(isOld ? [`${page} is out of date. Run: node tools/include-code.ts --update`] : []),
    ];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = includeProblems({ update: process.argv.includes('--update') });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
