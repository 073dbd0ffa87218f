import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const docs = join(import.meta.dirname, '../../docs');

/** The sidebar, in the order of `docs/README.md`: a bold line begins a group, each link below it is a page. */
export function sidebarOf(text: string = readFileSync(join(docs, 'README.md'), 'utf8')): DefaultTheme.SidebarItem[] {
  const groups: { text: string; items: { text: string; link: string }[] }[] = [];
  // A title may stand on two lines.
  for (const line of text.replaceAll(/\n +(?=\S)/g, ' ').split('\n')) {
    const heading = /^\*\*([^*]+)\*\*/.exec(line)?.[1];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    for (const [, title = '', path = ''] of line.matchAll(/\[([^[\]]+)\]\(([\w/-]+\.md)\)/g))
      groups.at(-1)?.items.push({ text: capitalized(title.replaceAll('`', '')), link: `/${path.replace(/\.md$/, '')}` });
  }
  return groups;
}

/** The pages of the reference that typedoc made, by package. */
export function apiSidebar(names: readonly string[]): DefaultTheme.SidebarItem[] {
  const packages = [...new Set(names.map((name) => name.split('/')[0] ?? name))].filter((name) => name !== 'index').toSorted();
  const items = packages.map((owner) => {
    const entries = names.filter((name) => name.startsWith(`${owner}/`)).toSorted();
    const children = entries.map((name) => ({ text: name.slice(owner.length), link: `/api/${name}` }));
    return { text: owner, link: `/api/${owner}`, ...(children.length > 0 ? { collapsed: true, items: children } : {}) };
  });
  return [{ text: 'Packages', link: '/api/', items }];
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
