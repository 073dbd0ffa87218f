import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chromium as driver, type Browser } from 'playwright-core';
import { unpackChromium } from './unpack-chromium.ts';

export type { Browser, Page } from 'playwright-core';

/** A browser that runs. */
export interface OpenBrowser {
  readonly browser: Browser;
  /** What it has written to standard error so far, for the message of a test that failed. */
  standardError(): string;
  /** Ends it. */
  close(): Promise<void>;
}

/** The browser of the machine, where one is named. */
const named = process.env['CHROMIUM_PATH'] ?? '';

/** Why there is no browser to be had here, where there is none. */
export const noBrowser: string | undefined =
  named !== '' || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'the packaged Chromium is for Linux on x64; name another with CHROMIUM_PATH';

/** For all pages, one after the other: each address of a server would otherwise start another one, which takes as long as a small test. */
const onePageProcess = '--renderer-process-limit=1';

/**
 * Starts a headless Chromium: the one that `CHROMIUM_PATH` names, else the one that comes inside a package. That one needs no download and no package of the
 * system: its libraries and its font come along.
 *
 * @throws {Error} with what it wrote, where it does not start; and where it cannot draw text
 */
export async function openBrowser(): Promise<OpenBrowser> {
  const { executablePath, args, environment } =
    named === '' ? await unpackChromium() : { executablePath: named, args: ['--no-sandbox'], environment: {} };
  let written = '';
  // The driver shows a process only where it is a server, to which each message goes through a socket and two more checks.
  const listen = (message: unknown): void => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once('spawn', () => {
      if (child.spawnfile === executablePath) child.stderr?.on('data', (chunk) => void (written += String(chunk)));
    });
  };
  subscribe('child_process', listen);
  const launched = driver.launch({ executablePath, args: [...args, onePageProcess], env: { ...process.env, ...environment } });
  const browser = await launched.finally(() => unsubscribe('child_process', listen));
  try {
    await drawText(browser);
    return { browser, standardError: () => written, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw new Error(`Chromium cannot draw text: ${String(error)}\nIt wrote to standard error:\n${written}`, { cause: error });
  }
}

/** Without a font, a page either ends the browser or has text of no width, which no other test may notice. */
async function drawText(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  await page.setContent('<span id="text">text</span>');
  const { width } = (await page.locator('#text').boundingBox()) ?? { width: 0 };
  await page.close();
  if (width <= 0) throw new Error(`A word is ${width} pixels wide.`);
}
