import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageAbouts } from '../../tools/page-abouts.ts';
import { pageText } from '../../tools/page-text.ts';
import { sidebarOf } from './navigation.ts';
import { siteUrl } from './site-address.ts';

const docs = join(import.meta.dirname, '../../docs');

/** Writes what programs read: each page as Markdown beside it, a list of all pages (`llms.txt`), and all of their text (`llms-full.txt`). */
export function writeTextFiles(folder: string): void {
  for (const path of globSync('**/*.md', { cwd: docs })) {
    const target = join(folder, path === 'README.md' ? 'index.md' : path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readPage(path));
  }
  cpSync(join(docs, 'pictures/social-card.png'), join(folder, 'social-card.png'));
  const groups = sidebarOf();
  const abouts = pageAbouts();
  const lineOf = (title: string, path: string): string => {
    const about = abouts.get(path);
    return `- [${title}](${siteUrl}${path})${about === undefined ? '' : `: ${about}`}`;
  };
  const lines = groups.flatMap(({ text, items = [] }) => [
    `## ${text ?? ''}`,
    '',
    ...items.map(({ text: title = '', link = '' }) => lineOf(title, `${link.slice(1)}.md`)),
    '',
  ]);
  // Each export with its docstring: by far the longest pages.
  const api = globSync('api/**/*.md', { cwd: docs, exclude: ['api/index.md'] }).toSorted();
  const apiLines = ['## Optional', '', ...api.map((path) => lineOf(`@repertoire${path.slice('api'.length, -'.md'.length)}`, path)), ''];
  writeFileSync(
    join(folder, 'llms.txt'),
    [`# Repertoire`, '', `> ${summary}`, '', `All pages in one file: ${siteUrl}llms-full.txt`, '', ...lines, ...apiLines].join('\n'),
  );
  const paths = groups.flatMap(({ items = [] }) => items.map(({ link = '' }) => `${link.slice(1)}.md`));
  writeFileSync(
    join(folder, 'llms-full.txt'),
    [...new Set(paths)].map((path) => `<!-- ${siteUrl}${path.replace(/\.md$/, '')} -->\n\n${readPage(path)}`).join('\n\n'),
  );
}

/** What Repertoire is, in two sentences. */
export const summary =
  'Skills for TypeScript agents: folders of instructions, references and tools in the open Agent Skills format. An agent finds them by a one-line description, and loads them when a task needs them.';

function readPage(path: string): string {
  return pageText(readFileSync(join(docs, path), 'utf8'));
}
