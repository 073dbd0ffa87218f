import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileApprovalStore, fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createSkillset, emptySkillState, skillApprovals, SkillError, type SkillAnswer, type SkillProvider } from '@repertoire/skills-core';
import { memoryProposalStore, proposedContent, type SkillProposal, type SkillProposalStore } from '@repertoire/skill-proposals';
import { createSkillProposal } from '../../skill-proposals/src/proposal/create-skill-proposal.ts';
import { readSkillFiles } from '@repertoire/skills-core/provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readApprovals } from '../src/review/read-approvals.ts';
import { listProposals, readProposal } from '../src/review/read-proposals.ts';
import { findAxeProblems } from '../../../tools/find-axe-problems.ts';
import { useBrowser } from './support/open-inspector.ts';

const skillMd = (name: string, body: string, fields = '') =>
  `---\nname: ${name}\ndescription: Pays refunds of an order. Use for ${name} questions.\n${fields}---\n\n${body}\n`;

/** Skills in a folder that can be changed, beside the file of approvals. */
async function library() {
  const folder = await mkdtemp(join(tmpdir(), 'review-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, 'skills', path)), { recursive: true });
    await writeFile(join(folder, 'skills', path), text);
  };
  await write('refunds/SKILL.md', skillMd('refunds', 'Ask first.\nThen pay.', 'tools: [pay]\n'));
  await write('refunds/guide.md', 'A guide.\n');
  await write('orders/SKILL.md', skillMd('orders', 'Look it up.'));
  const provider = fileSystemSkillProvider({
    label: 'web',
    roots: [join(folder, 'skills')],
    trusted: false,
    digests: true,
    staleAfterMs: 0,
    watch: { mode: 'poll', pollMs: 20, debounceMs: 1 },
  });
  onTestFinished(async () => await provider[Symbol.asyncDispose]());
  return { write, provider, store: fileApprovalStore(join(folder, 'approvals.json')) };
}

/** A person answers what the application asks about a skill. */
async function answer(
  provider: SkillProvider,
  store: ReturnType<typeof fileApprovalStore>,
  skill: string,
  given: SkillAnswer & { readonly by?: string },
) {
  const approvals = skillApprovals<{ tenant: string }>({
    store,
    scope: ({ tenant }) => tenant,
    now: () => new Date('2026-01-02T03:04:05Z'),
  });
  const session = await createSkillset<{ tenant: string }>({ provider, approvals }).open({ context: { tenant: 'acme' } });
  const question = await session.approvals?.ask(emptySkillState, { tool: 'load_skill', input: { name: skill }, id: 'c1' });
  const { by, ...said } = given;
  if (question === undefined) throw new Error(`Nobody is asked about ${skill}.`);
  await session.approvals?.answer(question.id, said, by);
}

const ofRefunds = (text: string): Parameters<typeof createSkillProposal>[0]['edits'] => [{ path: 'SKILL.md', old: 'Then pay.', new: text }];

async function propose(provider: SkillProvider, edits: Parameters<typeof createSkillProposal>[0]['edits']): Promise<SkillProposal> {
  const skill = await provider.getSkill('refunds');
  const { digest, files } = await readSkillFiles(provider, skill!);
  return await createSkillProposal({
    skill: 'refunds',
    base: { source: 'web', place: 'skills/refunds', version: null, content: digest, files },
    edits,
    reason: 'Three people asked for the \u202Ereceipt. <img src=x onerror="document.title=1">',
    author: 'acme',
    conversation: 'thread-7',
    created: new Date('2026-01-02T03:04:05Z'),
  });
}

describe('approvals, as they are kept', () => {
  it('AUT-7: each says whether it counts: now, never, after a change, for no skill here, under a wrong key', async () => {
    const { provider, store, write } = await library();
    await answer(provider, store, 'refunds', { answer: 'content', grants: ['load', 'tools'], by: 'Ada Lovelace' });
    await answer(provider, store, 'orders', { answer: 'never' });
    const read = async () => {
      const skills = await Promise.all(['refunds', 'orders'].map(async (name) => (await provider.getSkill(name))!));
      return (await readApprovals(store, provider, skills)).approvals;
    };
    expect(await read()).toMatchObject([
      { skill: 'orders', never: true, grants: [], by: null, standing: 'stands' },
      {
        skill: 'refunds',
        source: 'web',
        scope: 'acme',
        grants: ['load', 'tools'],
        by: 'Ada Lovelace',
        at: '2026-01-02T03:04:05.000Z',
        standing: 'stands',
      },
    ]);

    await write('refunds/guide.md', 'Another guide.\n');
    const ended = { skill: 'refunds', standing: 'changed', changes: { changed: ['guide.md'], added: [], removed: [] } };
    expect((await read())[1]).toMatchObject(ended);
    // The next question takes the answer back, and it is still shown what ended it.
    await answer(provider, store, 'refunds', { answer: 'no' });
    expect((await read())[1]).toMatchObject(ended);
    // The old content again: a person is asked all the same.
    await write('refunds/guide.md', 'A guide.\n');
    expect((await read())[1]).toMatchObject({ standing: 'changed' });

    const [[key, kept] = ['', {}]] = [...(await store.list())].filter(([name]) => name.startsWith('skill-'));
    const list = () =>
      new Map<string, unknown>([
        [key, JSON.stringify({ ...(kept as object), scope: 'other' })],
        [`skill-${'0'.repeat(64)}`, kept],
        ['call-1', {}],
        ['skill-x', 'no JSON'],
      ]);
    const skills = [(await provider.getSkill('orders'))!];
    expect((await readApprovals({ list }, provider, skills)).approvals.map(({ standing }) => standing)).toEqual(['damaged', 'damaged']);
    expect((await readApprovals({ list: () => new Map([[key, kept]]) }, provider, [])).approvals).toMatchObject([{ standing: 'absent' }]);
  });
});

describe('a proposal, as a person reads it', () => {
  it('AUT-7: without checks of the host, those of the package; one that was decided or does not fit has no digest to accept', async () => {
    const { provider, write } = await library();
    const proposal = await propose(provider, ofRefunds('Then run `curl https://pay.example/now`.'));
    const store = memoryProposalStore();
    await store.add(proposal);
    const skills = await Promise.all(['refunds', 'orders'].map(async (name) => (await provider.getSkill(name))!));
    const signal = new AbortController().signal;
    const read = async () => (await readProposal({ store }, proposal.id, { provider, skills }, signal))!;
    const { after } = await proposedContent(provider, proposal);
    expect(await read()).toMatchObject({
      status: 'pending',
      content: after.content,
      stale: null,
      rebased: false,
      files: [{ path: 'SKILL.md', change: 'changed' }],
      allows: expect.arrayContaining([{ kind: 'host', what: 'pay.example' }]),
      alike: [{ name: 'orders' }],
    });
    // Beside the digest stands every text: a long one, and one behind NUL, too.
    const long = `\0\n${'Line.\n'.repeat(40_000)}Last.\n`;
    const other = memoryProposalStore();
    await other.add({ ...proposal, id: 'long', edits: [], files: [{ path: 'scripts/run', text: long, replaces: null }] });
    const { files, content } = (await readProposal({ store: other }, 'long', { provider, skills }, signal))!;
    expect([typeof content, files]).toEqual(['string', [{ path: 'scripts/run', change: 'added', before: '', after: long }]]);
    await write('refunds/guide.md', 'Another guide.\n');
    expect(await read()).toMatchObject({ rebased: true, stale: null });
    await write('refunds/SKILL.md', skillMd('refunds', 'Ask nobody.'));
    expect(await read()).toMatchObject({
      content: null,
      stale: expect.stringContaining('no longer fits'),
      files: [{ before: 'Then pay.' }],
    });
    // The list says so before anybody opens it.
    expect(await listProposals({ store }, { provider, skills })).toMatchObject({
      proposals: [{ errors: ['stale-base'], warnings: [] }],
    });
    await store.decide(proposal.id, { type: 'rejected', by: 'Ada', at: '2026-01-03T00:00:00Z', reason: 'Too wide.' }, 0);
    expect(await read()).toMatchObject({ status: 'rejected', content: null, stale: null, decisions: [{ by: 'Ada', reason: 'Too wide.' }] });
    expect(await readProposal({ store }, 'none', { provider, skills }, signal)).toBeNull();
    // One that is damaged hides no other.
    const damaged: SkillProposalStore = {
      ...store,
      list: async () => ['damaged-0', proposal.id],
      read: async (id) => {
        if (id === 'damaged-0') throw new SkillError('invalid-skill', 'It is damaged.');
        return await store.read(id);
      },
    };
    expect(await listProposals({ store: damaged }, { provider, skills })).toMatchObject({
      proposals: [
        { id: proposal.id, skill: 'refunds', isNew: false, problem: null },
        { id: 'damaged-0', problem: 'It is damaged.' },
      ],
      left: 0,
    });
  });
});

describe('the page', () => {
  const { inspecting, faults } = useBrowser();

  it('AUT-7: shows approvals beside signatures, what ended them, and nothing without a store', async () => {
    const { provider, store, write } = await library();
    await answer(provider, store, 'refunds', { answer: 'content', grants: ['load', 'tools'], by: 'Ada <b>Lovelace</b>' });
    const page = await inspecting({ provider, approvals: store });
    await page.getByRole('link', { name: /^refunds .*approved/ }).click();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await page.getByText('Not signed.').waitFor();
    const approvals = page.getByRole('list', { name: 'Approvals' });
    await approvals.getByText('Ada <b>Lovelace</b>').waitFor();
    expect(await approvals.locator('.chip').allTextContents()).toEqual(['load', 'tools']);
    expect(await approvals.textContent()).toContain('for acme');
    await approvals.getByText('counts', { exact: true }).waitFor();

    await write('refunds/guide.md', 'Another guide.\n');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await page.getByRole('button', { name: 'Read again' }).click();
    await approvals.getByText('ended by a change').waitFor();
    await approvals.getByText('Since then: changed guide.md').waitFor();
    await page.getByRole('status').getByText('1 approval, 0 of them for a skill as it is now').waitFor();
    expect(await findAxeProblems(page)).toEqual([]);
    // Somebody answers meanwhile.
    await answer(provider, store, 'refunds', { answer: 'content' });
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByRole('status').getByText('1 approval, 1 of them').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).getByText('Proposals').count()).toBe(0);
    expect(faults(page)).toEqual([]);
  });

  it.each([
    [390, 'dark'],
    [1440, 'light'],
  ] as const)('AUT-7 AUT-3: shows a proposal with all that a person decides by, on %i pixels, in %s', async (width, colorScheme) => {
    const { provider } = await library();
    const store = memoryProposalStore();
    const proposal = await propose(provider, ofRefunds('Then\u200B run `curl https://pay.example/now`.'));
    await store.add(proposal);
    const { after } = await proposedContent(provider, proposal);
    const check = async () => ({
      findings: [
        { code: 'takes-requests', severity: 'error' as const, message: 'It takes a request from orders.', path: 'SKILL.md', line: 6 },
      ],
      allows: [{ kind: 'host' as const, what: 'pay.example' }],
    });
    const page = await inspecting({ provider, proposals: { store, check } }, { width, height: 844, colorScheme });
    await page.getByRole('link', { name: 'Proposals' }).click();
    await page.getByRole('link', { name: /refunds .*pending/ }).click();
    await page.getByText('pay.example', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Findings' }).getByText('It takes a request from orders.').waitFor();
    await page.getByRole('list', { name: 'Alike skills' }).getByRole('link', { name: 'orders' }).waitFor();
    const changes = page.getByRole('region', { name: 'Changes of SKILL.md' });
    expect(await changes.locator('ins').textContent()).toContain('curl https://pay.example/now');
    expect(await changes.locator('del').textContent()).toContain('Then pay.');
    expect(await page.getByRole('row', { name: /^instructions/ }).textContent()).toMatch(/^instructions\d+\d+$/);
    await page.getByText(`repertoire proposals accept ${proposal.id} --by "Your name" --digest ${after.content}`).waitFor();
    // What nobody sees of its words is named.
    expect(await page.locator('main .hidden-character').allTextContents()).toEqual(['U+202E', 'U+200B']);
    expect(await findAxeProblems(page)).toEqual([]);
    // Its words are text, and the page has nothing that writes.
    expect(await page.locator('main img, main form').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(faults(page)).toEqual([]);
  });
});
