/**
 * Prints what the inspector costs: milliseconds a step of a replay through each framework (aim: 50), and how a browser does with 2,000 skills.
 * Run `pnpm --filter @repertoire/benchmarks inspect`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { replayRecording, startInspector, type Framework } from '@repertoire/inspector';
import { createSkillLock, lockedProvider } from '@repertoire/skill-trust/lock';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { noBrowser, openBrowser, type Page } from '../../tools/open-browser.ts';
import { generateSkills } from './generate-skills.ts';
import { median } from './median.ts';

const skillCount = 2_000;
const stepCounts = [10, 100, 400];
const rounds = 5;
const folder = await mkdtemp(path.join(tmpdir(), 'inspector-bench-'));

try {
  await generateSkills(path.join(folder, 'few'), 40);
  await generateSkills(path.join(folder, 'many'), skillCount);
  await measureReplay();
  if (noBrowser === undefined) await measurePage();
  else console.log(`no browser: ${noBrowser}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureReplay(): Promise<void> {
  const source = fileSystemSkillProvider({ roots: [path.join(folder, 'few')] });
  const provider = lockedProvider(source, await createSkillLock(source));
  console.log(`A replay over a lock, in ms a step (medians of ${rounds} rounds)\n`);
  console.log('framework'.padEnd(14), stepCounts.map((count) => `${count} steps`.padStart(12)).join(''));
  for (const framework of ['core', 'ai-sdk', 'langchain'] satisfies Framework[]) {
    const figures: number[] = [];
    for (const count of stepCounts) {
      const recording = conversation(count);
      await replayRecording(provider, recording, { settings: { framework } });
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        const { requests } = await replayRecording(provider, recording, { settings: { framework } });
        times.push((performance.now() - start) / requests.length);
      }
      figures.push(median(times));
    }
    console.log(framework.padEnd(14), figures.map((figure) => figure.toFixed(2).padStart(12)).join(''));
  }
}

/** Every step loads a skill, reads a file or ends a skill; every tenth, a person says something. */
function conversation(steps: number): string {
  const messages: unknown[] = [{ role: 'user', content: 'Begin.' }];
  for (let step = 0; step < steps; step += 1) {
    const name = `skill-${String((step * 4) % 40).padStart(5, '0')}`;
    const toolCallId = `call_${step}`;
    const [toolName, input] =
      step % 3 === 0
        ? ['load_skill', { name }]
        : step % 3 === 1
          ? ['read_skill_file', { skill: name, path: 'references/details.md' }]
          : ['unload_skill', { name }];
    messages.push({ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] });
    messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: '' } }] });
    if (step % 10 === 9) messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
  }
  return JSON.stringify({ messages });
}

async function measurePage(): Promise<void> {
  const provider = fileSystemSkillProvider({ roots: [path.join(folder, 'many')], staleAfterMs: Infinity });
  await using inspector = await startInspector({ provider });
  const { browser, close } = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const start = performance.now();
    const isOpen = async (): Promise<void> => await page.locator('.skill').first().waitFor({ state: 'attached' });
    const isWhole = async (): Promise<void> =>
      await page
        .locator('.skill')
        .nth(skillCount - 1)
        .waitFor({ state: 'attached' });
    await page.goto(inspector.url);
    await isOpen();
    console.log(`\nThe page with ${skillCount} skills, in ms\n`);
    print('first open, with reading all skills', performance.now() - start);
    const again = performance.now();
    await page.reload();
    await isOpen();
    print('open again, until the first skills are there', performance.now() - again);
    await isWhole();
    print('until all of them are there', performance.now() - again);
    await measureTyping(page);
    print('open a skill, until it is painted', await untilPainted(page, `document.querySelector('.skill a').click()`));
    print('a frame while scrolling (median)', median(await frames(page)));
    const mapStart = performance.now();
    await page.goto(`${new URL(page.url()).origin}/#/map`);
    await page
      .locator('.plot circle')
      .nth(skillCount - 1)
      .waitFor({ state: 'attached' });
    print('the map, with comparing all of them', performance.now() - mapStart);
  } finally {
    await close();
  }
}

/** Types and deletes words by real keys, several times over, and tells how long the page was busy at once. */
async function measureTyping(page: Page): Promise<void> {
  const search = page.locator('input[type=search]');
  await search.focus();
  await page.evaluate(`(() => {
    window.busy = [];
    new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.busy.push(duration); }).observe({ type: 'longtask' });
  })()`);
  const typed: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const key of [...'release notes', ...Array<string>(13).fill('Backspace')]) {
      const began = performance.now();
      await page.keyboard.press(key);
      await untilPainted(page, '');
      typed.push(performance.now() - began);
    }
  }
  // What waits for a pause counts as well.
  await page.waitForTimeout(1_500);
  const busy = await page.evaluate<number[]>('window.busy');
  print('a key in the filter, until it is painted (median)', median(typed));
  print('the same, worst', Math.max(...typed));
  print(`tasks of more than 50 ms while ${typed.length} keys were pressed`, busy.length);
  print('the longest of them', Math.max(0, ...busy));
}

/** What a change takes from the event to the frame that shows it. */
async function untilPainted(page: Page, work: string): Promise<number> {
  return await page.evaluate(
    `new Promise((resolve) => { const start = performance.now(); ${work}; requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start))); })`,
  );
}

async function frames(page: Page): Promise<number[]> {
  return await page.evaluate(`new Promise((resolve) => {
    const pane = document.querySelector('.list-pane');
    const times = [];
    let last = performance.now();
    const next = (now) => {
      times.push(now - last);
      last = now;
      pane.scrollTop += 300;
      if (times.length < 120) requestAnimationFrame(next);
      else resolve(times.slice(5));
    };
    requestAnimationFrame(next);
  })`);
}

function print(what: string, ms: number): void {
  console.log(what.padEnd(56), ms.toFixed(1).padStart(8));
}
