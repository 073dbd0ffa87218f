import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';

const root = join(import.meta.dirname, '../..');

/** The path below which the site is served. */
export const siteBase: string = process.env['SITE_BASE'] ?? '/';

/** The whole address of the site, for what must not be relative: cards, the sitemap, canonical links. `SITE_URL` says where it is served. */
export const siteUrl: string = new URL(siteBase, process.env['SITE_URL'] ?? 'https://repertoire.github.io').href;

/** The version of the packages that this site describes. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(root, 'packages/skills-core/package.json'), 'utf8')) as { version: string }
).version;

/** The day of the last commit, and its short hash; `null` where there is no repository. */
export const lastCommit: { readonly hash: string; readonly day: string } | null = commitOf();

/** Whether the history is whole, so that the day of a page's last change is known. In a shallow clone every page would have the same day. */
export const hasHistory: boolean = lastCommit !== null && git('rev-parse', '--is-shallow-repository') === 'false';

function commitOf(): { readonly hash: string; readonly day: string } | null {
  const [hash, day] = (git('log', '-1', '--format=%h %cs') ?? '').split(' ');
  return hash === undefined || day === undefined ? null : { hash, day };
}

function git(...words: readonly string[]): string | null {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
