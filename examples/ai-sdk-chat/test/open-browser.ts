import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as driver, type Browser } from 'playwright-core';

/** The browser of the machine, where one is named; else the one that comes inside a package, which needs Linux on x64. */
const named = process.env['CHROMIUM_PATH'] ?? '';

/** Flags for servers without processes of their own: with the first, closing a page ends the browser. */
const unwanted = ['--single-process', '--disable-web-security', '--allow-running-insecure-content'];

/** Whether there is a browser to be had. */
export const hasBrowser = named !== '' || (process.platform === 'linux' && process.arch === 'x64');

/** Starts a headless Chromium. It needs no download and no package of the system: its libraries come along. */
export async function openBrowser(): Promise<Browser> {
  if (named !== '') return driver.launch({ executablePath: named, args: ['--no-sandbox'] });
  const folder = join(tmpdir(), 'repertoire-chromium');
  mkdirSync(folder, { recursive: true });
  const before = process.env['TMPDIR'];
  // The package unpacks below TMPDIR, and its own libraries only where it takes the machine for a bare one.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' });
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const args = chromium.args.filter((flag) => !unwanted.includes(flag));
    return await driver.launch({ executablePath: await chromium.executablePath(), args });
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
