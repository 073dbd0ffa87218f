import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contenders, minisearch } from '../../e2e/benchmarks/src/contenders.ts';
import { groups, rows } from '../../e2e/benchmarks/src/rows.ts';
import { contendersOf } from '../../e2e/benchmarks/src/tables.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

const page = readFileSync(join(repositoryRoot, 'docs/benchmarks.md'), 'utf8');
const rowsPage = readFileSync(join(repositoryRoot, 'docs/benchmarks-rows.md'), 'utf8');

/** The part of the page about a row, up to the next heading. */
function sectionOf(title: string, id: string): string {
  const from = rowsPage.indexOf(`### ${title}\n\n<!-- row: ${id} -->\n`);
  return from === -1 ? '' : (rowsPage.slice(from).split(/^#{2,3} /m)[1] ?? '');
}

describe('docs/benchmarks.md and docs/benchmarks-rows.md', () => {
  it.each(rows.map((row) => [row.id, row] as const))('has the row %s, with its floor and everyone in it', (id, row) => {
    const section = sectionOf(row.title, id);
    expect(section).toContain(row.what);
    expect(section).toContain(row.floor);
    const lines = section.split('\n').filter((line) => line.startsWith('| '));
    const named = lines.slice(1).map((line) => /^\| (?:\*\*)?(?<name>[^*<|]+?)(?:\*\*)?(?: <sup>.*)? \|/.exec(line)?.groups?.['name']);
    expect(named).toEqual(contendersOf(row).map(({ name }) => name));
    expect(lines[0]).toMatch(/^\| {2}\| \S/);
  });

  it('has each row in the summary, and no row that the command does not know', () => {
    const summary = page.slice(page.indexOf('## Where Repertoire stands')).split(/^## /m)[1] ?? '';
    const titles = summary.split('\n').filter((line) => /^\| \S/.test(line) && !line.startsWith('| |'));
    expect(titles.map((line) => line.slice(2, line.lastIndexOf(',', line.indexOf(' |'))))).toEqual(rows.map(({ title }) => title));
    expect([...rowsPage.matchAll(/<!-- row: (?<id>\S+) -->/g)].map((match) => match.groups?.['id'])).toEqual(
      Object.keys(groups).flatMap((group) => rows.filter((row) => row.group === group).map(({ id }) => id)),
    );
  });

  it('says why, wherever there is a dash', () => {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const section = sectionOf(row.title, row.id);
      const marks = [...section.matchAll(/<sup>(?<number>\d+)<\/sup>/g)].map((match) => Number(match.groups?.['number']));
      const notes = [...section.matchAll(/^(?<number>\d+)\. \S/gm)].map((match) => Number(match.groups?.['number']));
      expect(
        [...new Set(marks)].toSorted((a, b) => a - b),
        row.id,
      ).toEqual(notes);
      expect(section, row.id).not.toMatch(/—(?!<sup>)/);
    }
  });

  it('is what the README says', () => {
    const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
    const lines = (/^## Measured\n.*?^## /ms.exec(readme)?.[0] ?? '')
      .split('\n')
      .filter((line) => /^\| \S/.test(line) && !line.startsWith('| |'));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(page).toContain(`${line}\n`);
  });

  it('was measured with the versions that are installed', () => {
    const installed = [...contenders, minisearch]
      .filter(({ id }) => id !== 'repertoire')
      .map((contender) => {
        const manifest = readFileSync(join(repositoryRoot, 'e2e/benchmarks/peers', contender.id, 'package.json'), 'utf8');
        const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> };
        return `| ${contender.name} | \`${contender.package}@${dependencies[contender.package]}\` |`;
      });
    const versions = page.slice(page.indexOf('## Versions')).split('\n');
    expect(versions.filter((line) => line.includes('`'))).toEqual(installed);
  });

  it('shows every chart that is there', () => {
    const charts = readdirSync(join(repositoryRoot, 'docs/pictures')).filter((file) => file.startsWith('benchmarks-'));
    expect([...rowsPage.matchAll(/\]\(pictures\/(?<file>[^)]+)\)/g)].map((match) => match.groups?.['file']).toSorted()).toEqual(
      charts.toSorted(),
    );
    expect(charts.length).toBe(Object.keys(groups).length);
    // A sign that is not escaped makes a picture that nothing shows.
    for (const file of charts)
      expect(readFileSync(join(repositoryRoot, 'docs/pictures', file), 'utf8'), file).not.toMatch(/<(?![a-z/])|&(?!amp;|lt;)/);
  });
});

describe('e2e/benchmarks', () => {
  it('has a program for every contender, and no other', () => {
    const folders = readdirSync(join(repositoryRoot, 'e2e/benchmarks/peers'));
    expect(folders.toSorted()).toEqual(
      [...contenders, minisearch]
        .map(({ id }) => id)
        .concat('floor')
        .toSorted(),
    );
    for (const folder of folders) expect(existsSync(join(repositoryRoot, 'e2e/benchmarks/peers', folder, 'peer.ts')), folder).toBe(true);
  });

  it('names each row once', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(new Set(rows.map(({ title }) => title)).size).toBe(rows.length);
  });
});
