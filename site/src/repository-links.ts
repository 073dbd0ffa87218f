import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Where the sources can be read. */
export const repositoryUrl = 'https://github.com/repertoire/repertoire';

const repositoryRoot = resolve(import.meta.dirname, '../..');
const docs = join(repositoryRoot, 'docs');

/**
 * The address of a link as the site needs it: a file of the repository outside of `docs`, or a file in it that is no page, is read on GitHub.
 *
 * @param href as written
 * @param page path of the page, from `docs`
 * @throws {Error} if no such file exists
 */
export function siteLink(href: string, page: string): string {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', ...anchor] = href.split('#');
  const target = resolve(docs, dirname(page), decodeURI(path));
  const isPage = target.startsWith(docs + sep) && target.endsWith('.md');
  // The list of all pages is the home page.
  if (target === join(docs, 'README.md')) return ['/', ...anchor].join('#');
  if (isPage) return href;
  if (!existsSync(target)) throw new Error(`${page} links to ${href}, which does not exist.`);
  const kind = statSync(target).isDirectory() ? 'tree' : 'blob';
  return [`${repositoryUrl}/${kind}/main/${relative(repositoryRoot, target).split(sep).join('/')}`, ...anchor].join('#');
}
