/**
 * `node tools/package-pages.ts [--update]`: writes what documents, READMEs and manifests repeat of `package-table.ts`, or says where it differs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageTable, type PackageRow, type StabilityRing } from './package-table.ts';
import { repositoryRoot } from './workspace.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

const rows: readonly (readonly [string, PackageRow])[] = Object.entries(packageTable);
const rings: readonly StabilityRing[] = ['stable', 'beta', 'preview'];
const places: Readonly<Record<StabilityRing, string>> = { stable: 'The product', beta: 'Beside it', preview: 'Around both' };

/** The files that differ from the table, by their path from the root, with what they should be. */
export function outdatedPackagePages(): ReadonlyMap<string, string> {
  const pages = new Map<string, string>();
  const write = (path: string, change: (text: string) => string): void => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    const changed = change(text);
    if (changed !== text) pages.set(path, changed);
  };
  write('docs/reference/packages.md', (text) => withTable(text, ['package', 'ring', 'what', 'runs on'], packageRows()));
  write('docs/reference/platforms.md', (text) => withTable(text, ['entry point', 'Workers', 'optional peer'], entryRows()));
  write('README.md', (text) => text.replace(/^- \*\*The product\*\* [^]*?(?=\n\n)/m, ringsInWords()));
  for (const [name, { ring }] of rows) {
    write(`packages/${name}/README.md`, (text) => withRing(text, ring));
    write(`packages/${name}/package.json`, (text) => withStability(text, ring));
  }
  return pages;
}

function packageRows(): string[][] {
  return rows.map(([name, { ring, what, runsOn, page }]) => [`[\`@repertoire/${name}\`](${page})`, ring, what, runsOn]);
}

function entryRows(): string[][] {
  return rows.flatMap(([name, { entries }]) =>
    Object.entries(entries).map(([entry, { workers, peers = [] }]) => [
      `\`@repertoire/${name}${entry === '' ? '' : `/${entry}`}\``,
      workers ? 'yes' : 'no',
      peers.map((peer) => `\`${peer}\``).join(', '),
    ]),
  );
}

/** A table in place of the one with the same first and last column. */
function withTable(text: string, columns: readonly string[], cells: readonly (readonly string[])[]): string {
  const start = text.search(new RegExp(`^\\| ${columns[0]} \\|`, 'm'));
  const lines = [columns, columns.map(() => '---'), ...cells].map((line, index) =>
    index === 1 ? `|${line.join('|')}|` : `| ${line.join(' | ')} |`.replaceAll('|  |', '| |'),
  );
  return `${text.slice(0, start)}${lines.join('\n')}${text.slice(text.indexOf('\n\n', start))}`;
}

function ringsInWords(): string {
  const lines = rings.map((ring) => {
    const names = rows.filter(([, row]) => row.ring === ring).map(([name]) => `\`${name}\``);
    return `- **${places[ring]}** (${ring}): ${names.join(', ')}.`;
  });
  return wrapMarkdown(lines.join('\n')).trimEnd();
}

/** Below the title of a README. */
function withRing(text: string, ring: StabilityRing): string {
  const line = `**Stability: ${ring}.** See [what that promises](../../docs/reference/stability.md#rings).`;
  return text.replace(/^(# .*\n\n)(?:\*\*Stability: .*\n\n)?/, `$1${line}\n\n`);
}

/** Behind the description of a manifest. */
function withStability(text: string, ring: StabilityRing): string {
  return text.replace(/^( {2}"description": .*\n)(?: {2}"stability": .*\n)?/m, `$1  "stability": "${ring}",\n`);
}

if (import.meta.main) {
  const pages = outdatedPackagePages();
  if (process.argv.includes('--update')) for (const [path, text] of pages) writeFileSync(join(repositoryRoot, path), text);
  else if (pages.size > 0) {
    console.error(`Run "node tools/package-pages.ts --update": ${[...pages.keys()].join(', ')}`);
    process.exitCode = 1;
  }
}
