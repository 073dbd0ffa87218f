/**
 * `node tools/seeds-page.ts [--update]`: writes `docs/seeds.md` from `e2e/seeds`, or says whether it is up to date. What a test shows is read from the titles of the
 * tests and the messages of their assertions, so the page says of nothing that it works unless an assertion of a test shows that very item.
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

/** What is not in order: items without a test, tests without an item, things said of a file that is not there. */
export function seedProblems(
  tests: ReadonlyMap<string, readonly SeedTest[]>,
  documents: readonly SeedDocument[] = seedDocuments,
): string[] {
  const items = new Map<string, SeedItem>(
    documents.flatMap((document) => document.items.map((item) => [`${document.id}-${item.number}`, item] as const)),
  );
  const unknown = [...tests.keys()].filter((id) => !items.has(id)).map((id) => `${id} is cited by a test and described nowhere.`);
  return [...unknown, ...[...items].flatMap(([id, item]) => problemsOf(id, item, tests.has(id)))];
}

/** The page as it should be. */
export function seedsPage(tests: ReadonlyMap<string, readonly SeedTest[]>, documents: readonly SeedDocument[] = seedDocuments): string {
  return [introduction, ...documents.map((document) => sectionOf(document, tests))].join('\n\n') + '\n';
}

const introduction = `<!-- Made by tools/seeds-page.ts; change e2e/seeds and run: node tools/seeds-page.ts --update -->

# Coming from another system

Repertoire began with the documents of five systems. This page lists every feature that they describe, and what became of it. It is made from the tests in
[\`e2e/seeds\`](../e2e/seeds), which run the examples of these systems with our names.

- **works**: an assertion of a test shows it.
- **different**: it is done in another way, for the reason that stands there. A test shows it.
- **in part**: the note says what is missing. A test shows the rest.
- **missing**: it is not there.
- **planned**: it belongs to a [feature](features.md) that is not done.

Below each list stands what the names of the system are called here. Plugins of other clients load as they are: [Agent Plugins](guide/plugins.md).`;

function sectionOf({ id, title, items, names }: SeedDocument, tests: ReadonlyMap<string, readonly SeedTest[]>): string {
  const rows = items.map((item) => {
    const key = `${id}-${item.number}`;
    return `| ${key} | ${item.what} | ${stateOf(item, tests.has(key))} | ${proofOf(item, tests.get(key) ?? [])} |`;
  });
  return [
    `## ${id}: ${title}`,
    ['| id | what | here | shown by |', '|---|---|---|---|', ...rows].join('\n'),
    ['| their name | ours |', '|---|---|', ...names.map(({ theirs, ours }) => `| ${theirs} | ${ours} |`)].join('\n'),
  ].join('\n\n');
}

function stateOf(item: SeedItem, isTested: boolean): string {
  if (item.different !== undefined) return `different: ${item.different}`;
  if (item.part !== undefined) return `in part: ${item.part}`;
  if (item.missing !== undefined) return `missing: ${item.missing}`;
  if (item.elsewhere !== undefined && !isTested) return `planned: ${item.elsewhere}`;
  return 'works';
}

function proofOf({ page, shownBy }: SeedItem, tests: readonly SeedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file)), ...(shownBy === undefined ? [] : [shownBy])];
  const features = [...new Set(tests.flatMap((test) => test.features))].toSorted();
  const links = files.map((file) => `[${basename(file, '.test.ts')}](../${file})`);
  return [...links, ...(page === undefined ? [] : [`[${basename(page, '.md')}](${page})`]), ...features].join(', ');
}

function problemsOf(id: string, { different, part, missing, elsewhere, page, shownBy }: SeedItem, isTested: boolean): string[] {
  const notes = [different, part, missing, elsewhere].filter((note) => note !== undefined);
  const links = [shownBy, page === undefined ? undefined : join('docs', page)].filter((path) => path !== undefined);
  const isProved = isTested || links.length > 0;
  return [
    ...(notes.length > 1 ? [`${id} has ${notes.length} states.`] : []),
    ...(missing !== undefined && isTested ? [`${id} is said to be missing, and a test cites it.`] : []),
    ...(missing === undefined && elsewhere === undefined && !isProved ? [`${id} has no test.`] : []),
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
