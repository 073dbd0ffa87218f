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

/**
 * Starts a headless Chromium: the one that `CHROMIUM_PATH` names, else the one that comes inside a package. That one needs no download and no package of the
 * system: its libraries and its font come along.
 *
 * @throws {Error} with what it wrote, where it does not start; and where it cannot draw text
 */
export async function openBrowser(): Promise<OpenBrowser> {
  const { executablePath, args, environment } =
    named === '' ? await unpackChromium() : { executablePath: named, args: ['--no-sandbox'], environment: {} };
  // A server, because it alone shows its process, and the process what it writes.
  const server = await driver.launchServer({ executablePath, args: [...args], env: { ...process.env, ...environment } });
  let written = '';
  server.process().stderr?.on('data', (chunk) => void (written += String(chunk)));
  const standardError = (): string => written;
  try {
    const browser = await driver.connect(server.wsEndpoint());
    await drawText(browser);
    return { browser, standardError, close: () => server.close() };
  } catch (error) {
    await server.close();
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
