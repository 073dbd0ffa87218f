import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import {
  acceptProposal,
  memoryProposalStore,
  proposedContent,
  rejectProposal,
  statusOf,
  undoProposal,
  type SkillProposalStore,
} from '../src/index.ts';
import { createSkillProposal } from '../src/proposal/create-skill-proposal.ts';
import type { SkillEdit } from '../src/proposal/skill-proposal.ts';
import { currentSkill } from '../src/review/proposed-content.ts';
import { libraryFolder, skillMd } from './support/library.ts';

const by = 'Ada Lovelace';

async function library() {
  const root = await libraryFolder({ 'refunds/SKILL.md': skillMd('refunds', 'Ask first. Then pay.'), 'refunds/references/a.md': 'one\n' });
  const provider = fileSystemSkillProvider({ roots: [root], writable: true, staleAfterMs: 0 });
  const store = memoryProposalStore();
  const propose = async (edits: readonly SkillEdit[]) => {
    const current = await currentSkill(provider, 'refunds');
    if (current === null) throw new Error('There is no skill.');
    const proposal = await createSkillProposal({
      skill: 'refunds',
      base: { source: 'fs', place: 'skills/refunds', version: null, ...current },
      edits,
      reason: 'x',
      created: new Date(0),
    });
    await store.add(proposal);
    return proposal;
  };
  const body = () => readFile(path.join(root, 'refunds/SKILL.md'), 'utf8');
  return { root, provider, store, propose, body };
}
const edit: SkillEdit = { path: 'SKILL.md', old: 'Then pay.', new: 'Then wait.' };

describe('reviewing a proposal', () => {
  it('PRP-4: what a person was shown is written, and one call brings the old bytes back', async () => {
    const { provider, store, propose, body } = await library();
    const before = await body();
    const proposal = await propose([edit]);
    const { after } = await proposedContent(provider, proposal);
    await expect(acceptProposal(store, provider, proposal.id, { by: ' ', content: after.content })).rejects.toMatchObject({
      code: 'permission-denied',
    });
    await expect(acceptProposal(store, provider, proposal.id, { by, content: proposal.digest })).rejects.toMatchObject({
      code: 'digest-mismatch',
    });
    expect(await body()).toBe(before);
    expect(await acceptProposal(store, provider, proposal.id, { by, content: after.content })).toEqual({ content: after.content });
    expect(await body()).toContain('Then wait.');
    expect((await provider.getSkill('refunds'))?.content).toBe(after.content);
    await expect(acceptProposal(store, provider, proposal.id, { by, content: after.content })).rejects.toMatchObject({
      code: 'unsupported',
    });
    expect(await undoProposal(store, provider, proposal.id, { by, content: proposal.base?.content ?? null })).toMatchObject({
      content: proposal.base?.content,
    });
    expect(await body()).toBe(before);
    const record = await store.read(proposal.id);
    expect(record?.decisions.map((decision) => [decision.type, decision.by])).toEqual([
      ['accepting', by],
      ['accepted', by],
      ['undone', by],
    ]);
  });

  it('PRP-4: where another process begins to accept the same meanwhile, the one that wrote it is told so, and it is recorded', async () => {
    const { provider, store, propose, body } = await library();
    const proposal = await propose([edit]);
    const { content } = (await proposedContent(provider, proposal)).after;
    let others = 0;
    const busy: SkillProposalStore = {
      ...store,
      async decide(id, decision, after) {
        const [begun] = (await store.read(id))?.decisions ?? [];
        if (decision.type === 'accepted' && begun !== undefined && others++ === 0) await store.decide(id, { ...begun, by: 'Grace' }, after);
        return await store.decide(id, decision, after);
      },
    };
    expect(await acceptProposal(busy, provider, proposal.id, { by, content })).toEqual({ content });
    expect((await store.read(proposal.id))?.decisions.map((decision) => [decision.type, decision.by])).toEqual([
      ['accepting', by],
      ['accepting', 'Grace'],
      ['accepted', by],
    ]);
    expect(await body()).toContain('Then wait.');
  });

  it('PRP-4: a new skill is gone again after undo', async () => {
    const { provider, store } = await library();
    const proposal = await createSkillProposal({
      skill: 'fresh',
      base: null,
      files: [{ path: 'SKILL.md', text: skillMd('fresh', 'Do it.') }],
      reason: 'x',
      created: new Date(0),
    });
    await store.add(proposal);
    await acceptProposal(store, provider, proposal.id, { by, content: (await proposedContent(provider, proposal)).after.content });
    expect((await provider.getSkill('fresh'))?.body).toBe('Do it.');
    expect(await undoProposal(store, provider, proposal.id, { by, content: null })).toEqual({ content: null });
    expect(await provider.getSkill('fresh')).toBeNull();
  });

  it('PRP-4: is rebased where its edits still fit once, with another digest to accept, else refused with the reason', async () => {
    const { root, provider, store, propose, body } = await library();
    const proposal = await propose([edit]);
    const shown = (await proposedContent(provider, proposal)).after.content;
    await writeFile(path.join(root, 'refunds/references/a.md'), 'two\n');
    const rebased = await proposedContent(provider, proposal);
    expect(rebased.rebased).toBe(true);
    await expect(acceptProposal(store, provider, proposal.id, { by, content: shown })).rejects.toMatchObject({ code: 'digest-mismatch' });
    await acceptProposal(store, provider, proposal.id, { by, content: rebased.after.content });
    expect(await body()).toContain('Then wait.');
    const next = await propose([{ path: 'SKILL.md', old: 'Ask first.', new: 'Ask twice.' }]);
    await writeFile(path.join(root, 'refunds/SKILL.md'), skillMd('refunds', 'Ask first. Ask first.'));
    await expect(proposedContent(provider, next)).rejects.toMatchObject({
      code: 'skill-changed',
      message: expect.stringContaining('occurs more than once'),
    });
    await writeFile(path.join(root, 'refunds/SKILL.md'), skillMd('refunds', 'Other.'));
    await expect(undoProposal(store, provider, proposal.id, { by, content: proposal.base?.content ?? null })).rejects.toMatchObject({
      code: 'skill-changed',
    });
    expect(await body()).toContain('Other.');
  });

  it('PRP-4: a rejected one cannot be accepted, and a source that cannot be written takes none', async () => {
    const { provider, store, propose } = await library();
    const proposal = await propose([edit]);
    const { content } = (await proposedContent(provider, proposal)).after;
    await expect(acceptProposal(store, new SkillRegistry(), proposal.id, { by, content })).rejects.toMatchObject({
      code: 'unsupported',
    });
    const misspelled = { by, reasons: 'No.' };
    await expect(rejectProposal(store, proposal.id, misspelled)).rejects.toMatchObject({ code: 'invalid-options' });
    await rejectProposal(store, proposal.id, { by, reason: 'No.' });
    await expect(acceptProposal(store, provider, proposal.id, { by, content })).rejects.toMatchObject({ code: 'unsupported' });
    const record = await store.read(proposal.id);
    expect(record && statusOf(record)).toBe('rejected');
  });
});
