import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  const lines = groups.flatMap(({ text, items = [] }) => [
    `## ${text ?? ''}`,
    '',
    ...items.map(({ text: title = '', link = '' }) => `- [${title}](${siteUrl}${link.slice(1)}.md)`),
    '',
  ]);
  writeFileSync(
    join(folder, 'llms.txt'),
    [`# Repertoire`, '', `> ${summary}`, '', `All pages in one file: ${siteUrl}llms-full.txt`, '', ...lines].join('\n'),
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
