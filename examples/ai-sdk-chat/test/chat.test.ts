import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { skillChat, sqlChatStore, type SkillChat, type SkillChatOptions } from '@repertoire/adapter-vercel-ai/chat';
import { composeProviders, createSkillset, defineSkill, skillApprovals, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { tool } from 'ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { z } from 'zod';
import { noBrowser, openBrowser, type OpenBrowser, type Page } from '../../../tools/open-browser.ts';
import { chatServer } from '../src/chat-server.ts';
import { standInTurn } from '../src/stand-in-model.ts';
import { openPartner } from './partner.ts';

/** What the tools of the shop have done, and what they wait for. */
const paid: string[] = [];
let bank: (order: string) => Promise<void> = async () => undefined;
const partner = openPartner();

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'chat-page-'))));
afterAll(() => rm(folder, { recursive: true }));

/** The chat as a process opens it. Each has the same conversations. */
function openChat(options: Partial<SkillChatOptions> = {}): SkillChat {
  const refunds = defineSkill({
    name: 'refunds',
    description: 'Refunds. Use when a customer wants money back.',
    body: 'Call refund.',
    tools: ['refund'],
  });
  const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' });
  return skillChat({
    skillset: createSkillset({
      provider: composeProviders([new SkillRegistry({ skills: [refunds, haiku] }), partner.provider]),
      gates: { tools: ['refund'] },
      approvals,
    }),
    model: model(),
    tools: {
      refund: tool({
        inputSchema: z.object({ order: z.string(), amount: z.number() }),
        execute: async ({ order }) => {
          paid.push(order);
          await bank(order);
          return { order, idempotencyKey: 'told' };
        },
      }),
    },
    toolApproval: { refund: 'user-approval' },
    store: sqlChatStore(join(folder, 'chat.sqlite')),
    person: () => 'me',
    leaseMs: 1000,
    ...options,
  });
}

const approvals = skillApprovals();

/** The stand-in of the example, which also knows the partner's skill. */
function model(): ReturnType<typeof scriptedModel> {
  return scriptedModel((call) => {
    const text = JSON.stringify(call.prompt);
    const since = JSON.stringify(call.prompt.slice(call.prompt.findLastIndex(({ role }) => role === 'user')));
    if (!since.includes('arcel')) return standInTurn(call);
    if (/denied|not approve/.test(since)) return { text: 'Without the skill, I cannot say.' };
    if (!/skill_content|already active/.test(since))
      return { toolCalls: [{ toolName: 'load_skill', toolCallId: crypto.randomUUID(), input: { name: 'shipping' } }] };
    return { text: `${[...text.matchAll(/Parcels take \w+ days/g)].at(-1)?.[0] ?? 'Parcels take long'}, says the partner.` };
  });
}

/** A server that can be lost, and started again at its address. */
async function openServer(first: SkillChat) {
  const start = async (chat: SkillChat, port: number) => {
    const server = createAdaptorServer({ fetch: (await chatServer(chat)).fetch });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server as ReturnType<typeof createAdaptorServer> & { closeAllConnections(): void };
  };
  let server = await start(first, 0);
  const { port } = server.address() as { port: number };
  const lose = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  onTestFinished(lose);
  return {
    url: `http://127.0.0.1:${port}/`,
    again: async (chat: SkillChat) => {
      await lose();
      server = await start(chat, port);
    },
  };
}

let opened: Promise<OpenBrowser> | undefined;
afterAll(async () => (await opened?.catch(() => undefined))?.close());

/** @param chat the name of the conversation */
async function open(url: string, chat: string) {
  // Opened here and not before all tests, so that without a browser only the tests that need it fail.
  const { browser, standardError } = await (opened ??= openBrowser());
  onTestFailed(() => console.error(`The browser wrote to standard error:\n${standardError()}`));
  const page: Page = await browser.newPage({ viewport: { width: 720, height: 640 } });
  onTestFinished(() => page.close());
  await page.goto(`${url}?chat=${chat}`);
  return {
    page,
    card: page.locator('.skill-card'),
    press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
    say: async (text: string) => {
      await page.getByRole('textbox', { name: 'Message' }).fill(text);
      // It waits for the end of the answer before.
      await page.getByRole('button', { name: 'Send' }).click();
    },
    lines: () => page.locator('.skill-assistant > *').allInnerTexts(),
  };
}

describe('the page, in Chromium', () => {
  beforeEach((context) => context.skip(noBrowser !== undefined, noBrowser));

  it('HST-1, ADP-4: a refund is approved after a restart, by a page that was loaded again', async () => {
    const server = await openServer(openChat());
    const { page, say, press, lines, card } = await open(server.url, 'refund');
    await say('I want a refund of 40 for order A-17.');
    await card.getByRole('heading', { name: 'May refund be called?' }).waitFor();
    expect(paid).toEqual([]);
    await server.again(openChat());
    await page.reload();
    await press('Yes');
    await page.getByText('I have refunded 40 for order A-17.').waitFor();
    expect(await lines()).toEqual([
      'Loaded skill: refunds',
      'refund {"order":"A-17","amount":40}: done',
      'I have refunded 40 for order A-17.',
    ]);
    expect(paid.splice(0)).toEqual(['A-17']);
    await page.reload();
    await expect.poll(lines).toHaveLength(3);
    await say('Refund 5 for B-2.');
    await press('No');
    await page.getByText('Then I do not pay.').waitFor();
    expect(paid).toEqual([]);
  });

  it('HST-1, HST-2: a page that was loaded again goes on reading; stop stops the server, and what nobody knows is shown', async () => {
    const paying = Promise.withResolvers<void>();
    bank = () => paying.promise;
    onTestFinished(() => void (bank = async () => undefined));
    const server = await openServer(openChat());
    const { page, say, press, lines } = await open(server.url, 'stop');
    await say('Refund 1 for C-1.');
    await press('Yes');
    await expect.poll(() => paid).toEqual(['C-1']);
    await page.reload();
    // It resumes: the call of the answer that is being written is there, and it can be stopped.
    await expect.poll(lines).toEqual(['Loaded skill: refunds', 'refund {"order":"C-1","amount":1}: …']);
    await press('Stop');
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        return await lines();
      })
      .toEqual(['Loaded skill: refunds', 'refund {"order":"C-1","amount":1}: nobody knows whether it happened']);
    await say('Refund C-1, did it work?');
    await page.getByText(/./).first().waitFor();
    paying.resolve();
    expect(paid.splice(0)).toEqual(['C-1']);
  });

  it('HST-2: a second tab waits for its turn, and a server that is lost leaves a conversation that goes on', async () => {
    const paying = Promise.withResolvers<void>();
    bank = () => paying.promise;
    onTestFinished(() => void (bank = async () => undefined));
    const server = await openServer(openChat());
    const first = await open(server.url, 'tabs');
    await first.say('Refund 2 for D-1.');
    await first.press('Yes');
    await expect.poll(() => paid).toEqual(['D-1']);
    const second = await open(server.url, 'tabs');
    await second.page.goto(`${server.url}?chat=tabs`);
    await expect.poll(second.lines).toHaveLength(2);
    paying.resolve();
    await second.page.getByText('I have refunded 2 for order D-1.').waitFor();
    await second.say('Hello');
    await second.page.getByText('Which order?').last().waitFor();
    await server.again(openChat());
    await first.page.reload();
    await first.say('Hello again');
    await expect.poll(async () => await first.page.getByText('Which order?').count()).toBe(2);
    expect(paid.splice(0)).toEqual(['D-1']);
  });

  it('DIS-16, HST-1: /haiku starts a skill that a person types', async () => {
    const server = await openServer(openChat());
    const { say, lines } = await open(server.url, 'haiku');
    await say('/haiku about a pond');
    await expect.poll(async () => (await lines())[0]).toBe('Loaded skill: haiku by you');
  });

  it('APR-10, HST-3: a skill of somebody else is asked about on a card; each answer does what it says, and a change asks again with a diff', async () => {
    const server = await openServer(openChat());
    const { page, say, card, lines } = await open(server.url, 'parcel');
    const press = (name: string) => card.getByRole('button', { name, exact: true }).click();
    const answers = (text: string, count: number) =>
      expect.poll(async () => (await lines()).filter((line) => line.includes(text)).length).toBe(count);

    await say('How long does a parcel take?');
    await card.getByRole('heading', { name: 'May the skill shipping be used?' }).waitFor();
    expect(await card.innerText()).toMatch(
      /From partner \(.*not signed[^]*It asks for load[^]*countries\.md, 9 bytes[^]*Parcels take three days\./,
    );
    await press('Once');
    await answers('Parcels take three days, says the partner.', 1);
    expect((await lines())[0]).toBe('Loaded skill: shipping');

    // Once was once.
    await say('And the next parcel?');
    await card.waitFor();
    await press('For this content');
    await answers('Parcels take three days', 2);
    await say('And a third parcel?');
    await answers('Parcels take three days', 3);
    expect(await card.count()).toBe(0);

    partner.change();
    await say('Is that so for my parcel?');
    await card.waitFor();
    expect(await card.innerText()).toMatch(/It changed since you approved it at .*countries\.md/);
    expect(await card.locator('.skill-diff del').allInnerTexts()).toEqual(['- Parcels take three days.']);
    expect(await card.locator('.skill-diff ins').allInnerTexts()).toEqual(['+ Parcels take five days.']);
    const path = process.env['SCREENSHOT_CARD'] ?? join(folder, 'card.png');
    await page.screenshot({ path });
    expect((await stat(path)).size).toBeGreaterThan(5000);
    // It changes again while the person reads: the yes is for words that are gone.
    partner.change();
    await press('For this content');
    await card.getByText('+ Parcels take nine days. <img src="x" alt="" />').waitFor();
    expect(await card.locator('img').count()).toBe(0);
    await press('Never');
    await answers('Without the skill, I cannot say', 1);
    await say('My parcel?');
    await answers('Without the skill, I cannot say', 2);
    expect(await card.count()).toBe(0);
  });
});
