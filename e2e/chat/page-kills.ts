/**
 * The page of examples/ai-sdk-chat in Chromium, whose server is killed, or stops its answer, at everything that a turn waits for.
 *
 *     node --conditions=@repertoire/source e2e/chat/page-kills.ts sqlite|postgres|FOLDER|URL [KILLS]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installedPostgres, startPostgres } from '../../test/support/postgres.ts';
import { openBrowser, type Page } from '../../tools/open-browser.ts';
import { bundleProgram } from './bundle-program.ts';
import type { KillReport } from './kills.ts';
import { serve } from './serve-chat.ts';
import { openShop, type Shop } from './shop-chat.ts';

const leaseMs = 400;
const html = '<!doctype html><meta charset="utf-8"><title>Shop</title><body></body><script type="module" src="/page.js"></script>';

export async function runPageKills(
  place: string,
  most: number,
  onProgress: (report: KillReport) => void = () => undefined,
): Promise<KillReport> {
  const program = await bundleProgram('shop-server');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../examples/ai-sdk-chat/page/page.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    conditions: ['@repertoire/source'],
  });
  const shop = await openShop({ place, leaseMs });
  // The browser keeps its page while one server is lost and another one comes.
  let target: number | undefined;
  const site = await serve(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/') return new Response(html, { headers: { 'content-type': 'text/html' } });
    if (pathname === '/page.js') return new Response(outputFiles[0]?.text, { headers: { 'content-type': 'text/javascript' } });
    if (pathname !== '/api/chat') return new Response(null, { status: 204 });
    if (target === undefined) return await shop.chat.handle(request);
    const body = request.method === 'POST' ? { body: await request.text() } : {};
    return await fetch(`http://127.0.0.1:${target}${pathname}${search}`, {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      ...body,
    });
  });
  const { browser, close } = await openBrowser();
  const report = { kills: 0, stops: 0, whole: 0, broken: [] as string[] };
  const run = Math.random().toString(36).slice(2, 8);
  try {
    for (let round = 0; report.kills < most; round++) {
      let isOver = false;
      for (let at = 1; !isOver && report.kills < most; at++) {
        const how = (at + round) % 3 === 2 ? 'stop' : 'kill';
        const id = `${run}-${round}-${at}`;
        const child = fork(program, [JSON.stringify({ place, id, at, how, leaseMs })]);
        const [{ port }] = (await once(child, 'message')) as [{ port: number }];
        target = port;
        const page = await browser.newPage();
        await visit(page, child, `http://127.0.0.1:${site.port}/?chat=${id}`, id);
        if (child.signalCode === 'SIGKILL') report.kills += 1;
        else {
          child.send('count');
          const [{ count }] = (await once(child, 'message')) as [{ count: number }];
          isOver = count < at;
          report.stops += isOver ? 0 : 1;
          report.whole += isOver ? 1 : 0;
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
        target = undefined;
        report.broken.push(...(await goOn(page, shop, id, (at + round) % 2 === 0)).map((what) => `${id} (${how} at ${at}): ${what}`));
        await page.close();
        onProgress(report);
      }
    }
  } finally {
    await close();
    site.close();
    await shop.close();
  }
  return report;
}

/** What a person does, as far as the server lasts. */
async function visit(page: Page, child: ChildProcess, url: string, id: string): Promise<void> {
  const order = (name: string): string => JSON.stringify({ order: `${id}-${name}` });
  const steps = [
    () => page.goto(url),
    () => say(page, `load_skill {"name":"refunds"} | note ${order('N')} ;; refund ${order('A')}`),
    () => press(page),
    () => say(page, `note ${order('M')}`),
  ];
  for (const step of steps) if (child.signalCode === null) await step().catch(() => undefined);
}

/** Reloads, or not, and goes on with whatever the page shows. */
async function goOn(page: Page, shop: Shop, id: string, reloads: boolean): Promise<string[]> {
  const broken: string[] = [];
  if (reloads || !page.url().includes(id) || (await page.getByRole('textbox').count()) === 0)
    await page.goto(`${new URL(page.url() === 'about:blank' ? 'http://127.0.0.1' : page.url()).origin}/?chat=${id}`).catch(() => undefined);
  await press(page);
  await say(page, 'How far are we?');
  const last = page.locator('.skill-message').last();
  const failure = await page.getByRole('alert').allInnerTexts();
  if (failure.length > 0 || !(await last.innerText()).includes('It is done, as far as I know.'))
    broken.push(`it does not go on: ${failure.join()} ${await page.locator('body').innerText()}`);
  await page.reload();
  await page
    .getByText('How far are we?')
    .last()
    .waitFor({ timeout: 20_000 })
    .catch(() => broken.push('its message is gone'));
  const shown = await page.locator('.skill-line').allInnerTexts();
  const paid = (await shop.paid()).filter((what) => what.startsWith(`${id}-`));
  if (new Set(paid).size !== paid.length) broken.push(`made twice: ${paid.join(', ')}`);
  const stateOf = (what: string): string[] =>
    shown.filter((line) => line.includes(`"${what}"`)).map((line) => line.split('}: ')[1] ?? line);
  for (const what of paid)
    if (!stateOf(what).some((state) => state === 'done' || state.startsWith('nobody knows')))
      broken.push(`${what} ran and is shown as ${stateOf(what).join() || 'nothing'}`);
  for (const name of ['A', 'N', 'M'])
    if (stateOf(`${id}-${name}`).includes('done') && !paid.includes(`${id}-${name}`))
      broken.push(`${name} did not run and is shown as done`);
  return broken;
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text, { timeout: 5000 });
  await page.getByRole('button', { name: 'Send' }).click({ timeout: 20_000 });
  // From then on it is being answered.
  await page.getByText(text).last().waitFor({ timeout: 20_000 });
  await rest(page);
}

/** Says yes to what waits. */
async function press(page: Page): Promise<void> {
  await rest(page);
  const yes = page.getByRole('button', { name: 'Yes', exact: true });
  if ((await yes.count()) > 0) await yes.first().click({ timeout: 5000 });
  await rest(page);
}

/** Until the page does nothing: it can send again. */
async function rest(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'Send' })
    .waitFor({ timeout: 20_000 })
    .catch(() => undefined);
}

if (import.meta.main) {
  const [where = 'sqlite', kills = '100'] = process.argv.slice(2);
  const programs = installedPostgres();
  const postgres = where === 'postgres' && programs !== undefined ? await startPostgres(programs) : undefined;
  const place = postgres?.url ?? (where === 'sqlite' ? mkdtempSync(join(tmpdir(), 'chat-page-kills-')) : where);
  const report = await runPageKills(place, Number(kills), ({ kills: so, stops, broken }) =>
    process.stdout.write(`${so} killed, ${stops} stopped, ${broken.length} broken ${broken.at(-1) ?? ''}\n`),
  );
  for (const what of report.broken) process.stdout.write(`${what}\n`);
  process.stdout.write(`${report.kills} killed, ${report.stops} stopped, ${report.whole} to the end, ${report.broken.length} broken\n`);
  await postgres?.[Symbol.asyncDispose]();
  process.exitCode = report.broken.length === 0 ? 0 : 1;
}
