import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspectorReport } from '@repertoire/inspector';
import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordedConversation } from './support/conversation.ts';
import { exampleSkills } from './support/library.ts';
import { goToView, useBrowser } from './support/open-inspector.ts';

const { inspecting, newPage, faults } = useBrowser();

describe('what a view shows', () => {
  it('AUT-3: each count of skills and of diagnostics is a filter with an address', async () => {
    const skill = (name: string, more: object = {}) => ({ name, description: `Does ${name}.`, body: 'Do it.', ...more });
    const source = new SkillRegistry({
      skills: [skill('open-one'), skill('open-two'), skill('for-people', { disableModelInvocation: true })],
    });
    const codes = ['name-reserved', 'name-reserved', 'description-too-long'] as const;
    const provider: SkillProvider = {
      label: source.label,
      getSkill: (...given) => source.getSkill(...given),
      readResource: (...given) => source.readResource(...given),
      listSkills: async (...given) => ({
        ...(await source.listSkills(...given)),
        diagnostics: codes.map((code, index) => ({
          code,
          severity: index === 2 ? ('error' as const) : ('warning' as const),
          message: `Something is wrong with number ${index}.`,
          skill: ['open-one', 'open-two', 'open-one'][index]!,
        })),
      }),
    };
    const page = await inspecting({ provider });
    const rows = page.locator('.skill .skill-name');
    await page.getByRole('link', { name: '1 hidden' }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['for-people']);
    expect(page.url()).toContain('only=hidden');
    await page.getByRole('status').getByText('1 of 3 skills').waitFor();
    await page.getByRole('link', { name: '1 hidden' }).click();
    await page.getByRole('link', { name: '2 with warnings' }).click();
    await expect.poll(() => rows.allTextContents()).toEqual(['open-one', 'open-two']);
    // Diagnostics: one line for each kind, which opens.
    const groups = page.locator('.diagnostic-group summary');
    await expect
      .poll(async () => (await groups.allTextContents()).map((text) => text.trim()))
      .toEqual(['error description-too-long 1', 'warning name-reserved 2 in 2 skills']);
    await page.getByRole('link', { name: '1 error', exact: true }).click();
    await expect.poll(() => groups.count()).toBe(1);
    expect(page.url()).toContain('severity=error');
    await page.getByText('Something is wrong with number 2.').waitFor();
    expect(await page.getByText('Something is wrong with number 1.').count()).toBe(0);
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: characters that nobody sees are named, and the copy has them as they are', async () => {
    const text = 'safe \u202Efdp.exe and in\u200B\u200Bvisible';
    const provider = new SkillRegistry({ skills: [{ name: 'tricky', description: 'Opens files.', body: text }] });
    const page = await inspecting({ provider });
    await goToView(page, '#/library/tricky');
    const badges = page.locator('.markdown .hidden-character');
    await expect.poll(() => badges.allTextContents()).toEqual(['U+202E', 'U+200B × 2']);
    expect(await badges.first().getAttribute('title')).toBe('right-to-left override');
    await goToView(page, '#/library/tricky?tab=source');
    await page.locator('.text-block .hidden-character').first().waitFor();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(text);
    await page.reload();
    await goToView(page, '#/time/new?steps=[{"kind":"say","text":"Hi"},{"kind":"load","skill":"tricky"}]');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('link', { name: 'What if' }).click();
    await page.getByText('This text has 3 characters that people do not see').waitFor();
  });

  it('AUT-3: a moment tells what the tool was called with', async () => {
    const page = await inspecting({ recordings: [{ title: 'chat.json', text: await recordedConversation() }] });
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat\.json/ }).click();
    await page.getByText('5 moments').waitFor();
    await page.getByRole('link', { name: /was refused read_skill_file/ }).click();
    const input = page.getByRole('region', { name: 'What it was called with' });
    expect(JSON.parse((await input.textContent()) ?? '')).toEqual({ skill: 'sql-tuning', path: 'references/none.md' });
  });

  it('AUT-3: a request of a Claude Code session says that it is what Repertoire would have sent', async () => {
    const line = (type: string, message: object, uuid: string, parentUuid: string | null): string =>
      JSON.stringify({ type, message, uuid, parentUuid, sessionId: 's', timestamp: '2026-11-01T10:00:00.000Z' });
    const session = [
      line('user', { role: 'user', content: 'The query is slow.' }, 'a', null),
      line('assistant', { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }] }, 'b', 'a'),
    ].join('\n');
    const page = await inspecting({
      recordings: [
        { title: 'session.jsonl', text: session },
        { title: 'chat.json', text: await recordedConversation() },
      ],
    });
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /session\.jsonl/ }).click();
    await page.getByRole('link', { name: 'Request by Repertoire' }).click();
    await page.getByText('This is what Repertoire would have sent').waitFor();
    await goToView(page, '#/time');
    await page.getByRole('link', { name: /chat\.json/ }).click();
    await page.getByRole('link', { name: 'Exact request' }).click();
    await page.getByText('Request 1 of').waitFor();
    expect(await page.getByText('would have sent').count()).toBe(0);
  });

  it('AUT-3: skills are read before the page asks, and the page says how far that is', async () => {
    const source = exampleSkills();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    let reads = 0;
    const provider: SkillProvider = {
      label: source.label,
      listSkills: (...given) => source.listSkills(...given),
      readResource: (...given) => source.readResource(...given),
      async getSkill(...given) {
        reads += 1;
        ask();
        if (reads > 3) await opened;
        return await source.getSkill(...given);
      },
    };
    const { startInspector } = await import('@repertoire/inspector');
    await using inspector = await startInspector({ provider });
    // No page was opened yet.
    await asked;
    const page = await newPage();
    await page.goto(inspector.url);
    await page.getByText('Reading 3 of 8 skills').waitFor();
    open();
    await page.getByRole('status').getByText('8 skills').waitFor();
    // What a failure said goes away with another try.
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: the map is zoomed by the wheel, moved by the mouse, and names no two skills at one place', async () => {
    const words = ['invoice', 'tax', 'sailing', 'harbor', 'oven', 'bread', 'guitar', 'chord', 'garden', 'rose'];
    const skills = Array.from({ length: 300 }, (_, index) => {
      const [a, b] = [words[index % 10], words[(index * 3 + 1) % 10]];
      return {
        name: `skill-with-a-name-${index}`,
        description: `Handles ${a} and ${b} ${index % 30}. Use for ${a} number ${index % 30}.`,
        body: 'Do it.',
      };
    });
    const page = await inspecting({
      provider: new SkillRegistry({ skills: [...skills, { name: 'alone', description: 'Unlike everything.', body: 'x' }] }),
    });
    await goToView(page, '#/map');
    const plot = page.locator('svg.plot');
    await plot.locator('circle').first().waitFor();
    await page.getByText('1 skill is like no other and not drawn.').waitFor();
    const overlaps = async (): Promise<unknown> =>
      await page.evaluate(`(() => {
        const boxes = [...document.querySelectorAll('.plot text')].map((each) => each.getBoundingClientRect());
        return { labels: boxes.length, overlaps: boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top + 3 < b.bottom - 3 && b.top + 3 < a.bottom - 3)).length };
      })()`);
    expect(await overlaps()).toEqual({ labels: expect.toSatisfy((labels: number) => labels > 3), overlaps: 0 });
    const box = async (): Promise<number[]> => ((await plot.getAttribute('viewBox')) ?? '').split(' ').map(Number);
    const [, , whole = 0] = await box();
    const { x, y, width, height } = (await plot.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    for (let turn = 0; turn < 6; turn += 1) await page.mouse.wheel(0, -200);
    await expect.poll(async () => (await box())[2]).toBeLessThan(whole / 2);
    expect(await overlaps()).toMatchObject({ overlaps: 0 });
    const [before = 0] = await box();
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 120, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await box())[0]).toBeGreaterThan(before);
    // Moving the map chooses nothing.
    expect(page.url()).not.toContain('skill=');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect.poll(async () => (await box())[2]).toBe(whole);
    await page.getByRole('link', { name: 'Draw them' }).click();
    await expect.poll(() => plot.locator('circle').count()).toBe(301);
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: the map of 2,000 skills says what its islands are about, beside their dots; a wide table scrolls by itself', async () => {
    const part = (index: number): string => ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'pi', 'ro', 'tu'][index % 10] ?? '';
    const topic = (index: number): string => `${part(index)}${part(Math.floor(index / 10))}${part(index + 3)}`;
    const wide = Array.from({ length: 6 }, (_, column) => `Undividable${topic(column)}${topic(column + 50)}`);
    const table = `| ${wide.join(' | ')} |\n|${'---|'.repeat(6)}\n| ${wide.join(' | ')} |`;
    const skills = Array.from({ length: 2_000 }, (_, index) => {
      const about = index < 400 ? index % 20 : 20 + (index % 400);
      return {
        name: `skill-${index}`,
        description: `Plans the ${topic(about)} of a ${topic(about + 37)}${about}.`,
        body: index === 0 ? table : 'Do it.',
      };
    });
    const page = await inspecting({ provider: new SkillRegistry({ skills }) });
    await goToView(page, '#/map');
    await page.locator('.plot text.about').first().waitFor();
    const read = `(() => {
      const dots = [...document.querySelectorAll('.plot circle')].map((each) => each.getBoundingClientRect());
      const names = [...document.querySelectorAll('.plot text.about')].map((each) => each.getBoundingClientRect());
      const isFree = (name) => !dots.some((dot) => dot.x + dot.width / 2 > name.left && dot.x + dot.width / 2 < name.right && dot.y + dot.height / 2 > name.top && dot.y + dot.height / 2 < name.bottom);
      return { small: names.filter(({ height }) => height < 12).length, free: names.filter(isFree).length };
    })()`;
    expect(await page.evaluate(read)).toEqual({ small: 0, free: expect.toSatisfy((free: number) => free >= 12) });
    await page.setViewportSize({ width: 390, height: 844 });
    await goToView(page, '#/library/skill-0');
    await page.getByRole('region', { name: 'Table' }).waitFor();
    expect(await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.scroll'))`)).toBe(
      true,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    // Each word on one line.
    const lines = `[...document.querySelectorAll('.markdown td')].map((cell) => { const range = document.createRange(); range.selectNodeContents(cell); return range.getClientRects().length; })`;
    expect(await page.evaluate(lines)).toEqual(wide.map(() => 1));
    expect(faults(page)).toEqual([]);
  });

  it('AUT-3: a report that is no longer wanted reads no more skills', async () => {
    const skills = Array.from({ length: 40 }, (_, index) => ({ name: `skill-${index}`, description: `Does ${index}.`, body: 'Do it.' }));
    const source = new SkillRegistry({ skills });
    const given = new AbortController();
    const reason = new Error('The page was closed.');
    const asked: string[] = [];
    const provider: SkillProvider = {
      label: source.label,
      listSkills: (...args) => source.listSkills(...args),
      readResource: (...args) => source.readResource(...args),
      getSkill: async (name, options) => {
        asked.push(name);
        given.abort(reason);
        return await source.getSkill(name, options);
      },
    };
    await expect(inspectorReport({ provider, signal: given.signal })).rejects.toBe(reason);
    // What was begun at once with the first.
    expect(asked.length).toBeLessThan(skills.length);
  });

  it('AUT-3: a report of skills with 12 MB of files stays below 10 MB, and says what it left out', async () => {
    // It compresses worse than what authors write.
    const noise = (seed: number, characters: number): string =>
      createHash('shake256', { outputLength: (characters / 4) * 3 })
        .update(String(seed))
        .digest('base64');
    const skills = Array.from({ length: 500 }, (_, index) => ({
      name: `skill-${index}`,
      description: `Does ${noise(index, 80)}.`,
      body: noise(index, 1_200),
      resources: {
        'references/guide.md': noise(index + 5_000, 300),
        // Without them, the rest is small enough.
        ...(index % 2 === 0 && { 'references/long.md': noise(index + 9_000, 48_000) }),
      },
    }));
    const told: number[] = [];
    const html = await inspectorReport({
      provider: new SkillRegistry({ skills }),
      onProgress: (read, total) => void told.push(read / total),
    });
    expect(Buffer.byteLength(html)).toBeLessThan(10_000_000);
    expect(told.length).toBeGreaterThan(500);
    const folder = await mkdtemp(join(tmpdir(), 'inspector-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'report.html');
    await writeFile(file, html);
    const page = await newPage();
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('status').getByText('500 skills').waitFor();
    await goToView(page, '#/library/skill-499');
    await page.getByText(noise(499, 1_200).slice(0, 60)).first().waitFor();
    await goToView(page, '#/library/skill-0?tab=files&file=references%2Flong.md');
    await page.getByText('was left out of the report').waitFor();
    expect(faults(page)).toEqual([]);
  });
});
