import { startInspector, type InspectorOptions } from '@repertoire/inspector';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { noBrowser, openBrowser, type OpenBrowser, type Page } from '../../../../tools/open-browser.ts';
import { exampleSkills } from './library.ts';

/** How a page is opened. */
export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** A browser for the tests of one file. */
export interface InspectorBrowser {
  /** An empty page, whose faults are recorded. */
  newPage(options?: PageOptions): Promise<Page>;
  /** A page that shows an inspector of its own. */
  inspecting(options?: Partial<InspectorOptions>, page?: PageOptions): Promise<Page>;
  /** What a page did that it should not: errors, refused scripts, requests to elsewhere. */
  faults(page: Page): readonly string[];
}

/** Starts the browser before the tests of a file, and ends it behind them. Without one, they are skipped, with the reason. */
export function useBrowser(): InspectorBrowser {
  let opened: OpenBrowser | undefined;
  beforeAll(async () => {
    if (noBrowser === undefined) opened = await openBrowser();
  });
  afterAll(async () => await opened?.close());
  beforeEach((context) => context.skip(noBrowser !== undefined, noBrowser));
  const faults = new Map<Page, string[]>();
  /** Pages of tests that passed: another one takes a process of the browser, which is most of the time of a small test. */
  const free: Page[] = [];

  async function openPage(): Promise<Page> {
    const context = await opened!.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    // Of the test alone, as anywhere else: a busy machine is slower than the driver thinks.
    page.setDefaultTimeout(0);
    const tell = (fault: string): void => void faults.get(page)?.push(fault);
    page.on('pageerror', (error) => tell(String(error)));
    page.on('console', (message) => void (message.type() === 'error' && tell(message.text())));
    page.on('request', (request) => void (/^(https?:\/\/127\.0\.0\.1|file:|data:)/.test(request.url()) || tell(`asked ${request.url()}`)));
    return page;
  }

  async function newPage({ width = 1440, height = 900, colorScheme = 'light' }: PageOptions = {}): Promise<Page> {
    const page = free.pop() ?? (await openPage());
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') return await page.context().close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // What an inspector keeps in the browser belongs to its port.
      await page.goto('about:blank');
      await page.mouse.move(0, 0);
      await page.context().clearCookies();
      free.push(page);
    });
    await page.setViewportSize({ width, height });
    // What moves is painted sixty times a second, by the CPU.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    faults.set(page, []);
    return page;
  }

  return {
    newPage,
    faults: (page) => faults.get(page) ?? [],
    async inspecting(options = {}, size = {}) {
      const inspector = await startInspector({ provider: exampleSkills(), ...options });
      onTestFinished(async () => await inspector[Symbol.asyncDispose]());
      const page = await newPage(size);
      await page.goto(inspector.url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}

/** Goes to a view of the page. What is read for it may still be on its way, and the view before it is gone. */
export async function goToView(page: Page, hash: string): Promise<void> {
  // As a string, since it runs in the page, which has other types than this file.
  await page.evaluate(`new Promise((done) => {
    const before = location.hash;
    // Drawn behind the listener of the page, which comes first.
    addEventListener('hashchange', () => setTimeout(done), { once: true });
    location.hash = ${JSON.stringify(hash)};
    if (location.hash === before) done();
  })`);
}

/** Chooses one of the choices of a combobox, as somebody with a mouse does. */
export async function choose(page: Page, label: string, title: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).first().click();
  await page.getByRole('option', { name: title, exact: true }).click();
}
