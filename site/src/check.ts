/**
 * `node src/check.ts [--pictures FOLDER]`: opens every page of the built site in headless Chromium, on a phone and on a desktop. Ends with exit code 1 if a link
 * leads nowhere, something is written to the console as an error, a page is wider than its window, or the search does not find what it should.
 */
import { createServer } from 'node:http';
import { existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { openBrowser, type Page } from '../../tools/open-browser.ts';

const site = join(import.meta.dirname, '../.vitepress/dist');
const widths = [390, 1440];
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
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
    await page.close();
  }
  checkLinks();
  const folder = process.argv[process.argv.indexOf('--pictures') + 1];
  if (process.argv.includes('--pictures') && folder !== undefined) await takePictures(folder);
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
    broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src),
  }));
  if (seen.width > width) report(`it is ${seen.width} px wide`);
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

async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const pages = {
    home: '/',
    guide: '/guide/recipes',
    reference: '/reference/skillset',
    api: '/api/skills-core',
    benchmarks: '/benchmarks',
  };
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      const page = await opened.browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(origin + path, { waitUntil: 'load' });
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      }
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('combobox').fill('who may load a skill');
      await page.getByRole('option').first().waitFor();
      await page.screenshot({ path: join(folder, `search-${width}-${colorScheme}.png`) });
      await page.close();
    }
}
