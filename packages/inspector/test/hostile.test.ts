import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectorReport, startInspector, type RunningInspector } from '@repertoire/inspector';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Page } from '../../../tools/open-browser.ts';
import { isTried } from '../../../test/support/property-runs.ts';
import { hostileSkills } from './support/hostile-skills.ts';
import { goToView, useBrowser } from './support/open-inspector.ts';

const { inspecting, newPage, faults } = useBrowser();

/** Hundreds of pages are painted, and nobody looks at them. */
const small = { width: 1000, height: 300 };

/** What a page shows at each of many addresses, one after the other: what says that it failed, and views that are empty. */
async function problemsAt(page: Page, hashes: readonly string[]): Promise<string[]> {
  // As a string, since it runs in the page, which has other types than this file.
  return await page.evaluate<string[]>(`(async () => {
    const problems = [];
    for (const hash of ${JSON.stringify(hashes)}) {
      const before = location.hash;
      // Behind the listener of the page: what it shows is no longer what was shown before.
      const changed = new Promise((done) => addEventListener('hashchange', () => setTimeout(done), { once: true }));
      location.hash = hash;
      if (location.hash !== before) await changed;
      let last;
      let now = null;
      while (now === null || now !== last) {
        last = now;
        await new Promise(requestAnimationFrame);
        now = document.querySelector('main .loading') === null ? document.querySelector('main').textContent : null;
      }
      const alert = document.querySelector('main [role=alert]');
      if (alert !== null) problems.push(hash.slice(0, 80) + ': ' + alert.textContent.slice(0, 200));
      if (last.trim().length < 20) problems.push(hash.slice(0, 80) + ': nothing is shown');
      if (document.querySelector('main img, main script, main iframe, main style') !== null) problems.push(hash.slice(0, 80) + ': HTML');
      if (/[\\u202A-\\u202E\\u2066-\\u2069\\u200B\\u2060\\u{E0001}-\\u{E007F}]/u.test(last.replace(/\\u{1F3F4}[\\u{E0020}-\\u{E007F}]+/gu, '')))
        problems.push(hash.slice(0, 80) + ': a hidden character is in the page');
    }
    return problems;
  })()`);
}

/** What somebody saw and said in a conversation with these skills. */
function hostileConversation(names: readonly string[], text: string): string {
  const messages: unknown[] = [{ role: 'user', content: text }];
  for (const [index, name] of names.entries()) {
    const id = `call_${index}`;
    messages.push(
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: 'load_skill', input: { name } }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: id, toolName: 'load_skill', output: { type: 'text', value: `${text}\n${name}` } }],
      },
    );
  }
  return JSON.stringify({ messages: [...messages, { role: 'assistant', content: text }] });
}

describe('the page with 200 hostile skills', () => {
  const provider = hostileSkills();
  const awkward = provider.names.filter((name) =>
    /^(?:quotes|override|html|overrides|tags|surrogates|controls|closing|prototype)-/.test(name),
  );
  const recordings = [
    { title: 'hostile \u202Echat.json', text: hostileConversation(awkward, 'safe \u202Efdp.exe <b>bold</b> \u200B') },
    { title: 'deep.json', text: hostileConversation(['quotes-body'], '> '.repeat(3_000)) },
  ];
  // To read the library takes longer than to show it.
  let inspector: RunningInspector;
  beforeAll(async () => {
    inspector = await startInspector({ provider, recordings });
  });
  afterAll(async () => await inspector[Symbol.asyncDispose]());
  async function smallPage(): Promise<Page> {
    const page = await newPage(small);
    await page.goto(inspector.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  it('AUT-3: shows each of them, in each part, and goes on to the next', async () => {
    expect(provider.names).toHaveLength(200);
    const page = await smallPage();
    const link = (name: string, query = ''): string => `#/library/${encodeURIComponent(wellFormed(name))}${query}`;
    // Each part of the skills that have a text in every place at once, and each text in a place of its own.
    const everywhere = provider.names.filter((name) => name.includes('-everything-'));
    expect(everywhere).toHaveLength(40);
    const hashes = [
      ...provider.names.filter((_, index) => isTried({ last: index % 5, size: 5 }, Math.floor(index / 5))).map((name) => link(name)),
      ...everywhere.flatMap((name) =>
        ['', '?tab=source', '?tab=line', '?tab=about', `?tab=files&file=references%2F${name.split('-everything-')[0]}.md`].map((query) =>
          link(name, query),
        ),
      ),
    ];
    expect(await problemsAt(page, hashes)).toEqual([]);
    // The skill that once stayed on the pages of others.
    await goToView(page, link('quotes-body'));
    await goToView(page, link('json-name').replace(/%22.*/, ''));
    await goToView(page, link('tabs-body'));
    await page.getByRole('heading', { level: 2, name: 'tabs-body' }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain('deep');
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: shows them in every other view, and in a report', async () => {
    const page = await smallPage();
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /hostile/ }).click();
    await page.getByRole('slider', { name: 'Moment' }).waitFor();
    const moment = new URL(page.url()).hash;
    const others = [
      '#/library',
      '#/library?by=cost',
      '#/library?by=start',
      '#/library?only=warnings',
      '#/library?only=dropped',
      '#/library?severity=warning',
      '#/library?q=helps',
      '#/library?q=helps&why=1',
      '#/library/__proto__',
      '#/library/constructor?tab=files&file=toString',
      '#/map',
      '#/map?alone=1&least=0.18',
      ...awkward.slice(0, 6).map((name) => `#/map?skill=${encodeURIComponent(wellFormed(name))}`),
      // The same catalog in each of them.
      '#/prompt?framework=core&maxTokens=50000',
      ...['ai-sdk', 'langchain', 'openai-agents'].map((framework) => `#/prompt?framework=${framework}`),
      '#/prompt?view=diff&mode=both&format=json',
      '#/prompt?view=diff&format=markdown',
      '#/time',
      '#/time/new',
      ...Array.from({ length: 12 }, (_, index) => `${moment}/${index + 1}`),
      `${moment}/4?tab=request`,
      `${moment}/4?tab=whatif`,
    ];
    expect(await problemsAt(page, others)).toEqual([]);
    expect(faults(page)).toEqual([]);

    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'report.html');
    await writeFile(file, await inspectorReport({ provider, recordings }));
    const report = await newPage();
    await report.goto(pathToFileURL(file).href);
    await report.getByRole('heading', { level: 1 }).waitFor();
    expect(
      await problemsAt(report, [
        '#/library',
        '#/map',
        '#/prompt',
        `${moment}/2`,
        // The same page, on other data.
        ...awkward.filter((name) => name.includes('-everything-')).map((name) => `#/library/${encodeURIComponent(wellFormed(name))}`),
      ]),
    ).toEqual([]);
    expect(faults(report)).toEqual([]);
  });

  it('AUT-3: a failure stays in its pane, and what is beside it and behind it works', async () => {
    const page = await inspecting({ recordings: [{ title: 'chat.json', text: hostileConversation(['sql-tuning'], 'Hello') }] });
    // Answers that no view expects.
    await page.route(/\/api\/(?:skill\?name=api-design|likeness|prompt|recordings\/.*\/timeline)/, (route) =>
      route.fulfill({ json: { name: 'api-design', nodes: [{}, {}], pairs: 7, items: [null] } }),
    );
    const alert = page.getByRole('alert');
    await page.getByRole('link', { name: /^api-design .*Designs/ }).click();
    await alert.getByText('This skill cannot be shown').waitFor();
    await page.getByRole('link', { name: /^changelog .*Writes/ }).click();
    await page.getByRole('heading', { level: 2, name: 'changelog' }).waitFor();
    expect(await alert.count()).toBe(0);
    for (const [key, title] of [
      ['m', 'This view cannot be shown'],
      ['p', 'The prompt cannot be shown'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await alert.getByText(title).waitFor();
    }
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat/ }).click();
    await alert.getByText('This recording cannot be shown').waitFor();
    // What failed can be tried again.
    await page.unroute(/\/api\/(?:skill\?name=api-design|likeness|prompt|recordings\/.*\/timeline)/);
    await goToView(page, '#/library/csv-profile');
    await page.getByRole('heading', { level: 2, name: 'csv-profile' }).waitFor();
    expect(await alert.count()).toBe(0);
  });
});

/** Half of a pair cannot stand in an address. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
