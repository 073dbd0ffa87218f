import { SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { findAxeProblems } from '../../../tools/find-axe-problems.ts';
import type { Page } from '../../../tools/open-browser.ts';
import { isTried } from '../../../test/support/property-runs.ts';
import { recordedConversation } from './support/conversation.ts';
import { goToView, useBrowser } from './support/open-inspector.ts';

const { inspecting, faults } = useBrowser();

/** Skills in which every kind of badge, group and note occurs. No more than that: each row is looked at in every view. */
const library = new SkillRegistry({
  skills: [
    ...Array.from({ length: 8 }, (_, index) => ({
      name: `report-${index}`,
      description: `Writes the ${['weekly', 'monthly', 'yearly'][index % 3] ?? ''} report number ${index} for the team. Use when somebody asks for a report.`,
      body: '# Report\n\n> Quote\n\n1. One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```\n\nSafe \u202Efdp.exe.',
      resources: { 'references/a.md': '# A\n\n- b', 'scripts/run.sh': 'ls' },
    })),
    { name: 'only-people', description: 'Deploys the site.', body: 'Do it.', disableModelInvocation: true },
  ],
});

/** Each takes what is open as the one before left it. A view has two of them, which show both sizes and both themes; the next view has the other two. */
const looks = [
  [1440, 'light'],
  [390, 'dark'],
  [1440, 'dark'],
  [390, 'light'],
] as const;

/** Every view, and every state that looks different. */
async function everyView(page: Page): Promise<string[]> {
  await goToView(page, '#/time');
  await page.getByRole('link', { name: /chat\.json/ }).click();
  await page.getByRole('slider', { name: 'Moment' }).waitFor();
  const moment = new URL(page.url()).hash;
  return [
    '#/library',
    '#/library?view=overview',
    '#/library?only=hidden',
    '#/library?q=nothing+has+this',
    '#/library?q=report&why=1',
    '#/library/report-1',
    '#/library/report-1?tab=files&file=references%2Fa.md',
    '#/library/report-1?tab=files&file=scripts%2Frun.sh',
    '#/library/report-1?tab=source',
    '#/library/report-1?tab=line',
    '#/library/report-1?tab=about',
    '#/library/none',
    '#/map',
    '#/map?skill=report-1',
    '#/map?skill=only-people',
    '#/prompt',
    '#/prompt?view=diff&mode=both',
    '#/time',
    '#/time/new',
    `${moment}/2`,
    `${moment}/3?tab=request`,
    `${moment}/3?tab=whatif`,
  ];
}

const withRecording = async (): Promise<Page> =>
  await inspecting({ provider: library, recordings: [{ title: 'chat.json', text: await recordedConversation() }] });

async function show(page: Page, hash: string): Promise<void> {
  await goToView(page, hash);
  await expect.poll(() => page.locator('main .loading').count()).toBe(0);
  await page.locator('h1, h2').filter({ visible: true }).first().waitFor();
}

describe('everybody can use the page', () => {
  it('AUT-3: axe finds nothing in any view, wide and narrow, light and dark', async () => {
    const page = await withRecording();
    const found: string[] = [];
    let views = 0;
    const look = async (what: string): Promise<void> => {
      views += 1;
      for (const [index, [width, colorScheme]] of looks.entries()) {
        if (!isTried({ last: index < 2 ? 0 : 1, size: 2 }, views)) continue;
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        // Rows are drawn for the new size in the next frame.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        expect(await page.evaluate(`[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]`)).toEqual([
          width,
          colorScheme === 'dark',
        ]);
        // The dark page differs from the light one in nothing but colors.
        const problems = await findAxeProblems(page, { onlyColors: colorScheme === 'dark' });
        found.push(...problems.map((problem) => `${what} at ${width} pixels in ${colorScheme}: ${problem}`));
      }
    };
    for (const hash of await everyView(page)) {
      await show(page, hash);
      await look(hash);
    }
    // What is open on top of a view.
    await show(page, '#/map');
    await page.getByRole('combobox', { name: 'Find a skill' }).click();
    await page.getByRole('option').first().waitFor();
    await look('open combobox');
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await look('keys');
    expect(found).toEqual([]);
  });

  it('AUT-3: axe finds nothing in a library without skills', async () => {
    const page = await inspecting({ provider: new SkillRegistry() });
    for (const hash of ['#/library', '#/map', '#/prompt', '#/time', '#/time/new']) {
      await show(page, hash);
      expect(await findAxeProblems(page), hash).toEqual([]);
      // There is a way on from each empty place.
      expect(await page.locator('main a[href], main button, main input, main code').count(), hash).toBeGreaterThan(0);
    }
  });

  it('AUT-3: Tab reaches everything that can be used, in every view, and shows where it is', async () => {
    const page = await withRecording();
    for (const hash of await everyView(page)) {
      await show(page, hash);
      expect(await walk(page), hash).toEqual([]);
    }
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: a person without a mouse gets through all views', async () => {
    const page = await withRecording();
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const nameOf = `(at) => (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent).trim()`;
    /** Tab until something with this name has the focus, as soon as it is there. */
    const tabTo = async (name: RegExp): Promise<void> => {
      const names = `[...document.querySelectorAll('a[href], button, input, [tabindex="0"]')].map(${nameOf})`;
      await expect.poll(async () => (await page.evaluate<string[]>(names)).some((each) => name.test(each))).toBe(true);
      for (let presses = 0; presses < 150; presses += 1) {
        await press('Tab');
        if (name.test(await page.evaluate<string>(`(${nameOf})(document.activeElement)`))) return;
      }
      throw new Error(`Tab does not reach ${String(name)}.`);
    };
    await press('/');
    await page.keyboard.type('report-7');
    await page.getByRole('status').getByText('1 of 9 skills').waitFor();
    await press('Tab');
    await tabTo(/^report-7/);
    await press('Enter');
    await page.getByRole('heading', { level: 2, name: 'report-7' }).waitFor();
    await tabTo(/^Files/);
    await press('Enter');
    await tabTo(/^a\.md/);
    await press('Enter');
    await page.locator('.file-preview .markdown').waitFor();
    // The map: zoom, move, find a skill.
    await press('g', 'm');
    await page.getByRole('heading', { level: 1, name: 'Likeness' }).waitFor();
    const box = async (): Promise<string | null> => await page.locator('svg.plot').getAttribute('viewBox');
    await tabTo(/^Map of/);
    const whole = await box();
    await press('+', '+');
    await expect.poll(box).not.toBe(whole);
    const near = await box();
    await press('ArrowRight', 'ArrowRight');
    await expect.poll(box).not.toBe(near);
    await press('0');
    await expect.poll(box).toBe(whole);
    await tabTo(/^Find a skill/);
    await page.keyboard.type('port-5');
    await press('Enter');
    await page.getByRole('heading', { name: 'Alike to report-5' }).waitFor();
    // A setting, by arrows alone.
    await tabTo(/^Least likeness/);
    await press('Escape', 'g', 'p');
    await page.getByRole('heading', { level: 1, name: 'Prompt' }).waitFor();
    await tabTo(/^Format/);
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await expect.poll(() => page.url()).toContain('format=markdown');
    await press('ArrowDown', 'Escape');
    expect(page.url()).toContain('format=markdown');
    // A conversation that is made up, played and stepped through.
    await page.locator('h1').click();
    await press('g', 't');
    await tabTo(/^Make one up/);
    await press('Enter');
    await tabTo(/^Play/);
    await press('Enter');
    await page.getByText('Request 1 of 2').waitFor();
    await page.locator('h1').click();
    await press(']');
    await page.getByText('Request 2 of 2').waitFor();
    await press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(faults(page)).toEqual([]);
  });
});

/** Presses Tab through a view: what it did not reach, and what had the focus without showing it. */
async function walk(page: Page): Promise<unknown[]> {
  await page.evaluate(`(() => {
    document.activeElement?.blur();
    window.reached = new Set();
    window.unseen = [];
    window.isRound = false;
    getSelection().removeAllRanges();
    window.walked?.abort();
    window.walked = new AbortController();
    addEventListener('focusin', ({ target: at }) => {
      // The walk goes on where the last one ended, comes by the end of the page, and ends where it began.
      if (window.reached.has(at)) window.isRound = true;
      window.reached.add(at);
      // Rows of a long list are drawn anew when they come into sight again.
      window.reached.add(at.getAttribute('href'));
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const parent = getComputedStyle(at.parentElement);
      const shows = (outlineStyle !== 'none' && outlineWidth !== '0px') || (parent.outlineStyle !== 'none' && parent.outlineWidth !== '0px');
      if (!shows) window.unseen.push('no outline: ' + at.outerHTML.slice(0, 120));
    }, { signal: window.walked.signal });
  })()`);
  // Somebody holds the key down. To wait for each time that it counts would cost more than all that the page does.
  for (let times = 0; times < 400; times += 10) {
    await Promise.all(Array.from({ length: 10 }, () => page.keyboard.down('Tab')));
    if ((await page.evaluate('window.isRound')) === true) break;
  }
  await page.keyboard.up('Tab');
  return await page.evaluate<unknown[]>(`[
    ...window.unseen,
    ...[...document.querySelectorAll('a[href], button:not(:disabled), input, textarea, summary, [tabindex="0"]')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !window.reached.has(each))
      .filter((each) => !(each.matches('.skill') && window.reached.has(each.getAttribute('href'))))
      .map((each) => 'not reached: ' + each.outerHTML.slice(0, 120)),
  ]`);
}
