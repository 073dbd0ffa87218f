/**
 * Pages of `docs` that go into the archive of a package, as `docs/` beside its `SKILL.md`: agents that write code find there what belongs to the version that is installed.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageTable } from './package-table.ts';
import { pageAbouts } from './page-abouts.ts';
import { changeProse, pageText } from './page-text.ts';
import { repositoryRoot, type WorkspacePackage } from './workspace.ts';

const docs = join(repositoryRoot, 'docs');
/** Where the other pages are read. */
const online = 'https://github.com/repertoire/repertoire/blob/main';
/** Pages that name every package and explain none. */
const lists = new Set(['README.md', 'features.md', 'seeds.md', 'benchmarks.md', 'reference/platforms.md', 'reference/packages.md']);

/** The pages of a package by their path in its archive, below `docs`: its own page, and those that name it. `README.md` lists them. */
export function packageDocs({ manifest: { name } }: Pick<WorkspacePackage, 'manifest'>): ReadonlyMap<string, string> {
  const named = new RegExp(`${name}(?![\\w-])`);
  const own = join('reference', packageTable[name.slice('@repertoire/'.length)]?.page ?? '');
  const kept = allPages().filter(
    // Examples read folders, whatever they are about.
    ({ path, text, prose }) =>
      path === own || (!lists.has(path) && !path.startsWith('systems/') && named.test(name === '@repertoire/skill-fs' ? prose : text)),
  );
  const paths = new Set(kept.map(({ path }) => path));
  const list = kept.map(({ path, title, about }) => `- [${title}](${path})${about === '' ? '' : `: ${about}`}`);
  return new Map([
    ['README.md', [`# Pages about ${name}`, '', ...list, '', `All pages: ${online}/docs/README.md`, ''].join('\n')],
    ...kept.map(({ path, text }) => [path, changeProse(text, (line) => withLinks(line, path, paths))] as const),
  ]);
}

/** Writes them into the folder of the package, where nothing else is in `docs`. */
export function writePackageDocs(workspacePackage: WorkspacePackage): void {
  const folder = join(workspacePackage.directory, 'docs');
  const pages = packageDocs(workspacePackage);
  for (const path of globSync('**/*.md', { cwd: folder })) if (!pages.has(path)) rmSync(join(folder, path));
  for (const [path, text] of pages) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

interface Page {
  /** From `docs`. */
  readonly path: string;
  readonly title: string;
  /** What the list of all pages says of it. */
  readonly about: string;
  readonly text: string;
  /** Without its blocks of TypeScript. */
  readonly prose: string;
}

let read: readonly Page[] | undefined;

function allPages(): readonly Page[] {
  if (read !== undefined) return read;
  const abouts = pageAbouts();
  read = globSync('**/*.md', { cwd: docs, exclude: ['api/**'] })
    .toSorted()
    .map((path) => {
      const text = pageText(readFileSync(join(docs, path), 'utf8'));
      const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
      return { path, title, about: abouts.get(path) ?? '', text, prose: text.replaceAll(/^```ts$[^]*?^```$/gm, '') };
    });
  return read;
}

/** A link to a page that is not in the archive leads to the repository. */
function withLinks(line: string, page: string, kept: ReadonlySet<string>): string {
  return line.replaceAll(/\]\((?!\w+:|#)([^)\s#]+)/g, (link, href: string) => {
    const target = join('docs', dirname(page), href);
    return kept.has(target.slice('docs/'.length)) ? link : `](${online}/${target}`;
  });
}
