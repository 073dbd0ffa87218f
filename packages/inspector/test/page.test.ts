import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectorReport } from '@repertoire/inspector';
import { recordedConversation } from './support/conversation.ts';
import { exampleSkills } from './support/library.ts';
import { choose, goToView, useBrowser } from './support/open-inspector.ts';

const { newPage, inspecting, faults } = useBrowser();

describe('the page', () => {
  it('AUT-3: keeps the token out of the address, and runs without a fault', async () => {
    const page = await inspecting();
    expect(page.url()).not.toContain('token');
    await page.getByRole('link', { name: /^sql-tuning .*Finds/ }).click();
    await page.getByRole('heading', { name: 'SQL tuning for PostgreSQL' }).waitFor();
    for (const view of ['#/map', '#/prompt', '#/time', '#/time/new']) {
      await goToView(page, view);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: text of a skill is never HTML', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'evil/references'), { recursive: true });
    const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await writeFile(
      join(folder, 'evil/SKILL.md'),
      `---\nname: evil\ndescription: 'Helps. ${attack}'\n---\n# ${attack}\n\n${attack}\n\n[go](javascript:alert(1)) ![p](http://evil.example/p.png)\n\n- ${attack}\n\n\`\`\`html\n${attack}\n\`\`\`\n`,
    );
    await writeFile(join(folder, 'evil/references/a.md'), `<iframe src="http://evil.example"></iframe>\n\n${attack}`);
    const provider = fileSystemSkillProvider({ roots: [folder] });
    const page = await inspecting({ provider });
    for (const query of ['', '?tab=source', '?tab=line', '?tab=files&file=references%2Fa.md']) {
      await goToView(page, `#/library/evil${query}`);
      await page.getByRole('main').getByText('onerror').first().waitFor();
      expect(await page.locator('main img, main script, main iframe, main a[href^="javascript"]').count(), query).toBe(0);
    }
    expect(faults(page)).toEqual([]);
    // The same in a report, which no server watches over.
    const file = join(folder, 'report.html');
    await writeFile(file, await inspectorReport({ provider }));
    const report = await newPage();
    await report.goto(`${pathToFileURL(file).href}#/library/evil`);
    await report.getByRole('main').getByText('onerror').first().waitFor();
    expect(await report.locator('main img, main script').count()).toBe(0);
    expect(faults(report)).toEqual([]);
  });

  it('AUT-3: a moved setting shows what it changes, by a link that can be shared', async () => {
    const page = await inspecting();
    await goToView(page, '#/prompt');
    await page.getByText('You are a helpful assistant.').first().waitFor();
    await choose(page, 'Format', 'markdown');
    await page.getByRole('link', { name: 'What the settings change' }).click();
    await page.getByText('format xml → markdown').waitFor();
    const changes = page.getByRole('region', { name: 'Changes in the system prompt' });
    await changes.getByText('- `sql-tuning`').waitFor();
    const link = page.url();
    expect(link).toContain('format=markdown');
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('format xml → markdown').waitFor();
    await page.getByRole('button', { name: 'Copy as code' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`catalog: { format: 'markdown' }`);
  });

  it('AUT-3: steps through a conversation, shows exact requests, and plays a what-if', async () => {
    const page = await inspecting({ recordings: [{ title: 'chat.json', text: await recordedConversation() }] });
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat\.json/ }).click();
    await page.getByText('5 moments').waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'Model loaded sql-tuning' }).waitFor();
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await page.getByRole('heading', { name: 'Model loaded incident-report' }).waitFor();
    expect(page.url()).toMatch(/\/4$/);
    await page.getByRole('link', { name: 'Exact request' }).click();
    await page.getByText('All 3 answers of skills are byte for byte those that were recorded.').waitFor();
    await page.getByRole('link', { name: 'What if' }).click();
    await choose(page, 'Skill', 'incident-report (loaded here)');
    const text = page.locator('.what-if textarea');
    await text.fill(`${await text.inputValue()}\nEnd with a haiku.`);
    await page.getByRole('button', { name: 'Play it again' }).click();
    await page.getByText('from request 4 on, 1 request would have been different').waitFor();
    await page.getByText('End with a haiku.').last().waitFor();
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: a conversation can be made up, and a file can be opened', async () => {
    const page = await inspecting();
    await goToView(page, '#/time/new');
    await choose(page, 'Skill', 'changelog');
    await expect.poll(() => page.url()).toContain('changelog');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('Request 1 of 2').waitFor();
    await page.getByRole('link', { name: /loaded changelog/ }).click();
    await page.getByText('Request 2 of 2').waitFor();
    await goToView(page, '#/time');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(await recordedConversation()) });
    await page.getByRole('heading', { name: 'mine.json' }).waitFor();
    await goToView(page, '#/time');
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('no') });
    await page.getByRole('alert').waitFor();
  });

  it('AUT-3: shows a change of a folder without being asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const write = async (description: string): Promise<void> => {
      await mkdir(join(folder, 'one'), { recursive: true });
      await writeFile(join(folder, 'one/SKILL.md'), `---\nname: one\ndescription: ${description}\n---\nDo it.\n`);
    };
    const provider = fileSystemSkillProvider({ roots: [folder], watch: { mode: 'poll', pollMs: 20, debounceMs: 1 } });
    onTestFinished(async () => await provider[Symbol.asyncDispose]());
    const page = await inspecting({ provider });
    await page.getByRole('heading', { name: 'No skills here' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await write('Does one thing.');
    await page.getByRole('link', { name: /^one .*Does one thing/ }).waitFor();
    await write('Does another thing.');
    await page.getByRole('link', { name: /^one .*Does another thing/ }).waitFor();
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: can be used by the keyboard and by a screen reader', async () => {
    const page = await inspecting();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('/');
    await page.keyboard.type('slow sql');
    await page.getByRole('status').getByText('1 of 8 skills').waitFor();
    // Escape leaves the field with what was typed; arrows lead into what was found.
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.getByRole('status').getByText('1 of 8 skills').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.matches("[data-item]")')).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: 'sql-tuning' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('sql-tuning');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { level: 1, name: 'Likeness' }).waitFor();
    await page.getByRole('navigation', { name: 'Views' }).locator('[aria-current=page]').getByText('Likeness').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('AUT-3: a link that is followed while somebody types a filter leads where it says, and the filter stays', async () => {
    const page = await inspecting();
    await goToView(page, '#/library/csv-profile');
    await page.getByRole('link', { name: /^Files/ }).waitFor();
    // The pause after the last key ends when the link was followed, and before the page has heard
    // of it.
    await page.evaluate(`(() => {
      const start = setTimeout;
      window.setTimeout = (run, ms) => (ms > 200 ? (window.endPause = run) : start(run, ms));
    })()`);
    await page.getByRole('searchbox').fill('csv');
    await page.evaluate(`document.querySelector('nav.tabs a[href*=files]').click(), window.endPause()`);
    await page.getByRole('navigation', { name: 'Files' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/q=csv/);
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: draws of a list of thousands what is on the screen, and goes to any of it', async () => {
    const skills = Array.from({ length: 3_000 }, (_, index) => ({
      name: `skill-${String(index).padStart(4, '0')}`,
      description: index < 2_000 ? 'Brews green tea.' : 'Roasts coffee.',
      body: 'Do it.',
    }));
    const page = await inspecting({ provider: new SkillRegistry({ skills }) });
    const rows = page.locator('[data-list] .skill');
    await page.getByRole('status').getByText('3,000 skills', { exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    // A link to one that is far below shows it in the list too.
    await goToView(page, '#/library/skill-2500');
    await page.locator('.skill[aria-current]').getByText('skill-2500').waitFor();
    expect(await page.locator('.skill[aria-current]').boundingBox()).toMatchObject({
      y: expect.toSatisfy((y: number) => y > 0 && y < 900),
    });
    expect(await rows.count()).toBeLessThan(60);
    // Keys walk on from there, farther than was drawn.
    await page.locator('.skill[aria-current]').focus();
    for (let press = 0; press < 40; press += 1) await page.keyboard.press('j');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('skill-2540');
    expect(await page.locator('li:has(> .skill:focus)').getAttribute('aria-posinset')).toBe('2541');
    // Keys can be faster than frames, in which what is on the screen is measured.
    await page.evaluate(`(async () => {
      for (let press = 0; press < 40; press += 1) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k' }));
        await null;
      }
    })()`);
    expect(await page.evaluate('document.activeElement.textContent')).toContain('skill-2500');
    expect(await rows.count()).toBeLessThan(80);
    await page.keyboard.press('/');
    await page.keyboard.type('tea');
    await page.getByRole('status').getByText('2,000 of 3,000 skills').waitFor();
    await expect.poll(() => page.url()).toContain('q=tea');
    await page.getByRole('searchbox').fill('cocoa');
    await page.getByRole('button', { name: 'Show all skills' }).click();
    await page.getByRole('status').getByText('3,000 skills', { exact: true }).waitFor();
    expect(faults(page)).toEqual([]);
  });

  it.each([390, 1440])('AUT-3: fits a screen that is %i pixels wide', async (width) => {
    const page = await inspecting({ recordings: [{ title: 'chat.json', text: await recordedConversation() }] }, { width, height: 844 });
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat\.json/ }).click();
    await page.getByText('5 moments').waitFor();
    const moment = new URL(page.url()).hash;
    for (const hash of [
      '#/library',
      '#/library/sql-tuning',
      '#/library/csv-profile?tab=files',
      '#/library?q=slow&why=1',
      '#/map',
      '#/prompt',
      '#/prompt?view=diff&mode=both',
      moment,
      `${moment}/3?tab=request`,
      '#/library/none',
    ]) {
      await goToView(page, hash);
      await page.locator('h1, h2').filter({ visible: true }).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), hash).toBeLessThanOrEqual(0);
    }
  });

  it('AUT-3: a report shows the same in a file, without a server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'report.html');
    await writeFile(
      file,
      await inspectorReport({ provider: exampleSkills(), recordings: [{ title: 'chat.json', text: await recordedConversation() }] }),
    );
    const page = await newPage();
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('link', { name: /^sql-tuning .*Finds/ }).click();
    await page.getByRole('heading', { name: 'SQL tuning for PostgreSQL' }).waitFor();
    await page.getByRole('link', { name: 'Files 3' }).click();
    await page.getByRole('link', { name: /reading-plans\.md/ }).click();
    await page.locator('.file-preview .markdown').waitFor();
    await goToView(page, '#/prompt');
    await page.getByRole('button', { name: 'LangChain' }).click();
    await page.locator('details.tool').first().waitFor();
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat\.json/ }).click();
    await page.getByRole('link', { name: 'Exact request' }).click();
    await page.getByText('All 3 answers of skills are byte for byte those that were recorded.').waitFor();
    expect(faults(page)).toEqual([]);
  });
});
