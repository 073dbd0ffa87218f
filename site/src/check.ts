/**
 * `node src/check.ts [--quick] [--pictures FOLDER]`: opens every page of the built site in headless Chromium, on a phone and on a desktop; with `--quick` one page
 * of each kind. Ends with exit code 1 if a link leads nowhere, something is written to the console as an error, a page is wider than its window or has no `main`,
 * axe finds something in light or dark, or the search, the playground or the tabs do not what they should. Pictures of each kind of page, at both widths and in both
 * themes, are left in `.vitepress/pictures` to be looked at.
 */
import { createServer } from 'node:http';
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { findAxeProblems } from '../../tools/find-axe-problems.ts';
import { openBrowser, type Page } from '../../tools/open-browser.ts';

const site = join(import.meta.dirname, '../.vitepress/dist');
const widths = [390, 1440];
/** One page of each kind. */
const kinds = {
  home: '/',
  guide: '/guide/many-sources',
  start: '/guide/getting-started',
  reference: '/reference/skillset',
  api: '/api/skills-core',
  playground: '/guide/playground',
  benchmarks: '/benchmarks',
};
const isQuick = process.argv.includes('--quick');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
};

if (!existsSync(site)) throw new Error('Build the site first: npx -y pnpm@12.21.0 site');
const problems: string[] = [];
const anchors = new Map<string, ReadonlySet<string>>();
const links: { readonly page: string; readonly href: string }[] = [];

const server = createServer((request, response) => {
  const file = fileOf(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname));
  if (file === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const opened = await openBrowser();
try {
  const paths = globSync('**/*.html', { cwd: site })
    .filter((path) => path !== '404.html')
    .map((path) => `/${path.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`)
    .filter((path) => !isQuick || Object.values(kinds).includes(path))
    .toSorted();
  for (const width of widths) {
    const page = await opened.browser.newPage({ viewport: { width, height: 900 } });
    let current = '';
    const report = (problem: string) => problems.push(`${current} at ${width} px: ${problem}`);
    page.on('console', (message) => void (message.type() === 'error' && report(message.text())));
    page.on('pageerror', (error) => void report(error.message));
    page.on('requestfailed', (request) => void (request.failure()?.errorText !== 'net::ERR_ABORTED' && report(`${request.url()} failed`)));
    for (const path of paths) {
      current = path;
      await page.goto(origin + path, { waitUntil: 'load' });
      await readPage(page, path, width, report);
    }
    current = 'search';
    await checkSearch(page, report);
    current = 'playground';
    await checkPlayground(page, report);
    current = 'tabs';
    await checkTabs(page, report);
    await page.close();
  }
  await checkAccess();
  if (!isQuick) checkLinks();
  checkFiles();
  const named = process.argv.includes('--pictures') ? process.argv[process.argv.indexOf('--pictures') + 1] : undefined;
  await takePictures(named ?? join(site, '../pictures'));
  process.stdout.write(`${paths.length} pages at ${widths.join(' and ')} px, ${links.length} links: ${problems.length} problems\n`);
} finally {
  await opened.close();
  server.close();
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** A file of the site, as a host with clean addresses serves it. */
function fileOf(path: string): string | undefined {
  const plain = join(site, path);
  const isFile = (file: string) => existsSync(file) && statSync(file).isFile();
  return [plain, `${plain}.html`, join(plain, 'index.html')].find(isFile);
}

async function readPage(page: Page, path: string, width: number, report: (problem: string) => void): Promise<void> {
  const seen = await page.evaluate(() => ({
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    hrefs: [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') ?? ''),
    width: document.documentElement.scrollWidth,
    mains: document.querySelectorAll('main').length,
    card: document.querySelector('meta[property="og:image"]')?.getAttribute('content') ?? '',
    broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src),
  }));
  if (seen.width > width) report(`it is ${seen.width} px wide`);
  if (seen.mains !== 1) report(`it has ${seen.mains} main landmarks`);
  if (!/^https:.*social-card\.png$/.test(seen.card)) report(`its card is ${seen.card}`);
  for (const source of seen.broken) report(`the picture ${source} is not shown`);
  anchors.set(path, new Set(seen.ids));
  if (width === widths[0]) for (const href of new Set(seen.hrefs)) links.push({ page: path, href });
}

function checkLinks(): void {
  for (const { page, href } of links) {
    const target = new URL(href, origin + page);
    if (target.origin !== origin) continue;
    const ids = anchors.get(target.pathname.replace(/\.html$/, ''));
    if (ids === undefined) {
      if (fileOf(decodeURIComponent(target.pathname)) === undefined) problems.push(`${page}: ${href} leads nowhere`);
    } else if (target.hash !== '' && !ids.has(decodeURIComponent(target.hash.slice(1)))) problems.push(`${page}: ${href} names no heading`);
  }
}

async function checkSearch(page: Page, report: (problem: string) => void): Promise<void> {
  await page.goto(origin, { waitUntil: 'load' });
  const queries = [
    ['how do I keep tenants apart', '/guide/tenants'],
    ['createSkillset', '/api/skills-core'],
    ['run scripts in a sandbox', '/guide/scripts'],
  ] as const;
  for (const [query, wanted] of queries) {
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('combobox').fill(query);
    const results = page.getByRole('option');
    await results
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => report(`nothing is found for "${query}"`));
    const hrefs = await results.locator('a').evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
    if (!hrefs.slice(0, 5).some((href) => href.startsWith(wanted)))
      report(`"${query}" does not find ${wanted}, but ${hrefs.slice(0, 5).join(', ')}`);
    await page.getByRole('button', { name: 'Close' }).click();
  }
}

/** A skill with a mistake, then one without: what is read, what is wrong, and what a model gets. */
async function checkPlayground(page: Page, report: (problem: string) => void): Promise<void> {
  await page.goto(`${origin}/guide/playground`, { waitUntil: 'load' });
  const field = page.getByLabel('SKILL.md', { exact: true });
  const shows = async (what: string, text: string): Promise<void> =>
    await page
      .locator('.playground-results')
      .getByText(text)
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => report(`the playground does not show ${what}`));
  await field.waitFor();
  await field.fill('---\nname: Not A Name\n---\nDo it.');
  await shows('what is wrong with a name', 'wrong-name');
  // It is made of two parts, so that nobody takes this file for one that holds a secret.
  const key = ['glpat', 'Zq8Rt5Wk2Lm9Xc4Vb7Np'].join('-');
  await field.fill(`---\nname: tea\ndescription: Brews green tea. Use when somebody wants tea.\n---\nSend ${key}.`);
  await shows('a token in a text', 'a token of GitLab');
  await field.fill(
    '---\nname: tea\ndescription: Brews green tea. Use when somebody wants tea.\n---\nConnect to postgres://barista:kT9wQz41vLmX8@db.teahouse.io/orders.',
  );
  await shows('what only the maintained list of secrets knows', 'an address of a database');
  await field.fill('---\nname: tea\ndescription: Brews green tea. Use when somebody wants tea.\n---\nBoil water to \u0038\u0030 degrees.');
  await shows('that nothing is wrong', 'Nothing to report');
  await shows('the line of the catalog', '<skill name="tea">Brews green tea.');
  await page.getByRole('button', { name: 'Once it is loaded' }).click();
  await shows('what a model reads', 'Boil water to 80 degrees.');
  await field.fill('---\nname: tea\ndescription: Brews tea.\n---\nBoil\u200B it.');
  await shows('hidden characters', 'U+200B');
  await field.fill('no frontmatter');
  await shows('that there is no skill', 'No skill can be made');
}

/** Who chose a package manager finds it on the next page. */
async function checkTabs(page: Page, report: (problem: string) => void): Promise<void> {
  await page.goto(`${origin}/guide/getting-started`, { waitUntil: 'load' });
  await page
    .locator('.vp-code-group label', { hasText: /^pnpm$/ })
    .first()
    .click();
  await page.goto(`${origin}/guide/own-loop`, { waitUntil: 'load' });
  await page
    .locator('.vp-code-group .blocks .active')
    .getByText('pnpm add')
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => report('a package manager that was chosen is forgotten'));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page
    .getByRole('button', { name: 'Copied' })
    .waitFor({ timeout: 10_000 })
    .catch(() => report('a page cannot be copied as Markdown'));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  if (!copied.startsWith('# A loop of your own') || copied.includes('<!--')) report(`"Copy as Markdown" copies ${copied.slice(0, 80)}`);
}

async function checkAccess(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      const page = await opened.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      for (const path of Object.values(kinds)) {
        await page.goto(origin + path, { waitUntil: 'load' });
        await page.locator('h1').first().waitFor();
        for (const problem of await findAxeProblems(page)) problems.push(`${path} at ${width} px in ${colorScheme}: ${problem}`);
      }
      await page.close();
    }
}

/** What programs fetch. */
function checkFiles(): void {
  const wanted = {
    'sitemap.xml': '/guide/gating</loc>',
    'llms.txt': '/guide/gating.md): ',
    'llms-full.txt': '# Tools that open with a skill',
    'guide/gating.md': '# ',
    'social-card.png': '',
  };
  for (const [name, text] of Object.entries(wanted)) {
    const file = join(site, name);
    if (!existsSync(file) || !readFileSync(file, 'utf8').includes(text)) problems.push(`${name} is missing, or does not contain "${text}"`);
  }
}

async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      const page = await opened.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, path] of Object.entries(kinds)) {
        await page.goto(origin + path, { waitUntil: 'networkidle' });
        const picture = join(folder, `${name}-${width}-${colorScheme}.png`);
        const { length } = await page.screenshot({ path: picture, fullPage: name === 'home' || name === 'playground' });
        // An empty page of this size has a tenth of it.
        if (length < 25_000) problems.push(`${path} at ${width} px in ${colorScheme} has next to nothing on it: ${picture}`);
      }
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('combobox').fill('who may load a skill');
      await page.getByRole('option').first().waitFor();
      await page.screenshot({ path: join(folder, `search-${width}-${colorScheme}.png`) });
      await page.close();
    }
}
