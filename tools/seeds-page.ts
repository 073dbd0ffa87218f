/**
 * `node tools/seeds-page.ts [--update]`: writes `docs/seeds.md`, the index of `docs/systems`, or says whether it is up to date. What a test of `e2e/seeds` shows is
 * read from its title and the messages of its assertions, so the page says of nothing that it works unless an assertion of a test shows that very item.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seedDocuments } from '../e2e/seeds/documents.ts';
import type { SeedDocument, SeedItem } from '../e2e/seeds/seed-item.ts';
import { repositoryRoot } from './workspace.ts';

/** The page, from the root of the repository. */
export const seedsPagePath = 'docs/seeds.md';

/** A test that cites an item. */
export interface SeedTest {
  readonly file: string;
  /** Ids of features in its title. */
  readonly features: readonly string[];
}

/** The tests of each item, by the titles in `e2e/seeds`. */
export function seedTests(root: string = repositoryRoot): ReadonlyMap<string, readonly SeedTest[]> {
  const tests = new Map<string, SeedTest[]>();
  for (const file of globSync('e2e/seeds/**/*.test.ts', { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { ids, body } of testsIn(text)) addTest(tests, file, assertedIds(ids, body));
  }
  return tests;
}

/** The tests of a file: the ids in the title of each, and what stands between that title and the next. */
function testsIn(text: string): { readonly ids: readonly string[]; readonly body: string }[] {
  const titles = [...text.matchAll(/['"`](S[0-4]-\d+(?: [A-Z][A-Z0-9]*-\d+)*): /g)];
  return titles.map(({ 1: ids = '', index }, position) => {
    const after = text.slice(index, titles[position + 1]?.index);
    // A test without an id in its title may follow.
    const end = after.slice(1).search(/\n(?:  )*(?:it|test|describe)(?:\.\w+)?\(/);
    return { ids: ids.split(' '), body: end === -1 ? after : after.slice(0, end + 1) };
  });
}

/**
 * The ids that a test proves: an item whose id stands in the message of an assertion, `expect(value, 'S0-2 S0-3')`, or the only item of a test that
 * has an assertion. Ids of features stay.
 */
export function assertedIds(ids: readonly string[], body: string): string[] {
  const items = ids.filter(isItem);
  const isProved = (id: string) => citesItem(id, body) || (items.length === 1 && /\bexpect\(/.test(body));
  return ids.filter((id) => !isItem(id) || isProved(id));
}

/** Whether the message of an assertion has the id of an item. */
function citesItem(id: string, body: string): boolean {
  const messages = body.matchAll(/,\s*['"`]((?:S[0-4]-\d+ ?)+)(?: [^'"`\n]{0,60})?['"`],?\s*\)/g);
  return [...messages].some(([, found = '']) => found.trim().split(' ').includes(id));
}

function isItem(id: string): boolean {
  return /^S[0-4]-/.test(id);
}

/** Where the page of a system shows an item. */
export interface SeedPlace {
  /** The heading that it stands under, as a link on GitHub has it. */
  readonly anchor: string;
  /** Whether it is done in another way, with the reason in a row of a table. */
  readonly different: boolean;
}

/**
 * The items that a page shows: `<!-- shows: S0-1 S0-2 -->` in a section whose code does it as written, and a row `| S0-5 | … |` with the reason
 * where it is done in another way.
 */
export function seedPlaces(text: string): ReadonlyMap<string, SeedPlace> {
  const places = new Map<string, SeedPlace>();
  let anchor = '';
  for (const line of text.replaceAll(/<!-- shows:[^>]*-->/g, (comment) => comment.replaceAll('\n', ' ')).split('\n')) {
    const heading = /^#{2,3} (?<title>.+)$/.exec(line)?.groups?.['title'];
    if (heading !== undefined) anchor = anchorOf(heading);
    const row = /^\| (?<ids>S[0-4]-\d+(?:, S[0-4]-\d+)*) \|/.exec(line)?.groups?.['ids'];
    const shown = /^<!-- shows: (?<ids>[^>]*) -->$/.exec(line.trim())?.groups?.['ids'];
    for (const id of row?.split(', ') ?? []) places.set(id, { anchor, different: true });
    for (const id of shown?.trim().split(/\s+/) ?? []) if (!places.has(id)) places.set(id, { anchor, different: false });
  }
  return places;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** What the pages of these documents say. */
export function readSeedPages(documents: readonly SeedDocument[] = seedDocuments): ReadonlyMap<string, ReadonlyMap<string, SeedPlace>> {
  return new Map(documents.map(({ id, guide }) => [id, seedPlaces(readFileSync(join(repositoryRoot, 'docs', guide), 'utf8'))]));
}

/** What is not in order: items that no page or no test shows, and what pages and tests cite that is not there. */
export function seedProblems(
  tests: ReadonlyMap<string, readonly SeedTest[]>,
  documents: readonly SeedDocument[] = seedDocuments,
  pages: ReadonlyMap<string, ReadonlyMap<string, SeedPlace>> = readSeedPages(documents),
): string[] {
  const items = new Map<string, SeedItem>(
    documents.flatMap((document) => document.items.map((item) => [`${document.id}-${item.number}`, item] as const)),
  );
  const cited = [...pages].flatMap(([document, places]) => [...places.keys()].map((id) => ({ id, document })));
  return [
    ...[...tests.keys()].filter((id) => !items.has(id)).map((id) => `${id} is cited by a test and described nowhere.`),
    ...cited
      .filter(({ id, document }) => !items.has(id) || !id.startsWith(`${document}-`))
      .map(({ id, document }) => `${id} is on the page of ${document} and none of its items.`),
    ...[...items].flatMap(([id, item]) => problemsOf(id, item, tests.has(id))),
    ...[...items.keys()].filter((id) => !cited.some((one) => one.id === id)).map((id) => `${id} is on no page.`),
  ];
}

/** The page as it should be. */
export function seedsPage(
  tests: ReadonlyMap<string, readonly SeedTest[]>,
  documents: readonly SeedDocument[] = seedDocuments,
  pages: ReadonlyMap<string, ReadonlyMap<string, SeedPlace>> = readSeedPages(documents),
): string {
  const counts = documents.map((document) => countsOf(document, pages.get(document.id) ?? new Map()));
  const sum = (key: 'items' | 'different') => counts.reduce((total, count) => total + count[key], 0);
  const row = (name: string, items: number, different: number) => `| ${name} | ${items} | ${items - different} | ${different} |`;
  return (
    [
      introduction,
      [
        '| page | items | as written | different, with the reason |',
        '|---|---|---|---|',
        ...documents.map(({ system, guide }, index) =>
          row(`[${system}](${guide})`, counts[index]?.items ?? 0, counts[index]?.different ?? 0),
        ),
        row('all', sum('items'), sum('different')),
      ].join('\n'),
      ...documents.map((document) => sectionOf(document, tests, pages.get(document.id) ?? new Map())),
    ].join('\n\n') + '\n'
  );
}

const introduction = `<!-- Made by tools/seeds-page.ts; change docs/systems and e2e/seeds and run: node tools/seeds-page.ts --update -->

# Coming from another system

Repertoire began with the documents of five systems. Each has a page for people who know it: their code and ours for everything that the
document shows, in its order, then what is better here, and what is different and why. The code on these pages is run by tests.

This is the index, made from the pages and from the tests in [\`e2e/seeds\`](../e2e/seeds), which run the examples of these systems with our
names. **As written** means that the section of the link does it. **Different** means that its row in the link says how and why. From Deep
Agents, Mastra or a loader of your own: [Migrating](guide/migrating.md).`;

function countsOf({ items }: SeedDocument, places: ReadonlyMap<string, SeedPlace>): { readonly items: number; readonly different: number } {
  return { items: items.length, different: [...places.values()].filter(({ different }) => different).length };
}

function sectionOf(
  { id, system, title, items, guide }: SeedDocument,
  tests: ReadonlyMap<string, readonly SeedTest[]>,
  places: ReadonlyMap<string, SeedPlace>,
): string {
  const rows = items.map((item) => {
    const key = `${id}-${item.number}`;
    const place = places.get(key);
    const state = place === undefined ? 'on no page' : `[${place.different ? 'different' : 'as written'}](${guide}#${place.anchor})`;
    return `| ${key} | ${item.what} | ${state} | ${proofOf(item, tests.get(key) ?? [])} |`;
  });
  return [`## ${system}`, `${title}.`, ['| id | what | here | shown by |', '|---|---|---|---|', ...rows].join('\n')].join('\n\n');
}

function proofOf({ page, shownBy }: SeedItem, tests: readonly SeedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file)), ...(shownBy === undefined ? [] : [shownBy])];
  const features = [...new Set(tests.flatMap((test) => test.features))].toSorted();
  const links = files.map((file) => `[${basename(file, '.test.ts')}](../${file})`);
  return [...links, ...(page === undefined ? [] : [`[${basename(page, '.md')}](${page})`]), ...features].join(', ');
}

function problemsOf(id: string, { page, shownBy }: SeedItem, isTested: boolean): string[] {
  const links = [shownBy, page === undefined ? undefined : join('docs', page)].filter((path) => path !== undefined);
  return [
    ...(isTested || links.length > 0 ? [] : [`${id} has no test.`]),
    ...(shownBy === undefined ||
    !existsSync(join(repositoryRoot, shownBy)) ||
    citesItem(id, readFileSync(join(repositoryRoot, shownBy), 'utf8'))
      ? []
      : [`${id} is said to be shown by ${shownBy}, and no assertion there has its id.`]),
    ...links.filter((path) => !existsSync(join(repositoryRoot, path))).map((path) => `${id} names ${path}, which is not there.`),
  ];
}

function addTest(tests: Map<string, SeedTest[]>, file: string, ids: readonly string[]): void {
  const features = ids.filter((id) => !isItem(id));
  for (const id of ids) if (isItem(id)) tests.set(id, [...(tests.get(id) ?? []), { file, features }]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const tests = seedTests();
  const problems = seedProblems(tests);
  const path = join(repositoryRoot, seedsPagePath);
  const page = seedsPage(tests);
  if (process.argv.includes('--update')) writeFileSync(path, page);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== page)
    problems.push(`${seedsPagePath} is out of date. Run: node tools/seeds-page.ts --update`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
