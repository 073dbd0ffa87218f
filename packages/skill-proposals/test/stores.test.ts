import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { createStorage } from 'unstorage';
import { describe, expect, it } from 'vitest';
import { memoryProposalStore, statusOf, unstorageProposalStore, type SkillProposalStore } from '../src/index.ts';
import { createSkillProposal } from '../src/proposal/create-skill-proposal.ts';
import { folderProposalStore } from '../src/node.ts';
import { skillMd, temporaryFolder } from './support/library.ts';

const stores: Readonly<Record<string, () => Promise<SkillProposalStore>>> = {
  memory: async () => memoryProposalStore(),
  folder: async () => folderProposalStore(path.join(await temporaryFolder(), 'proposals')),
  unstorage: async () => unstorageProposalStore(createStorage()),
};
const make = (body: string) =>
  createSkillProposal({
    skill: 'fresh',
    base: null,
    files: [
      { path: 'SKILL.md', text: skillMd('fresh', body) },
      { path: 'references/é.md', text: 'é\r\n' },
    ],
    reason: 'It comes back.',
    created: new Date(0),
  });
const rejected = { type: 'rejected', by: 'ada', at: '2026-01-01T00:00:00.000Z', reason: 'no' } as const;

describe.each(Object.entries(stores))('a store of proposals: %s', (_, open) => {
  it('PRP-2: keeps proposals whole, each once, and adds decisions in order', async () => {
    const store = await open();
    expect(await store.list()).toEqual([]);
    const proposal = await make('One.');
    expect(await store.read(proposal.id)).toBeNull();
    expect(await store.add(proposal)).toBe(true);
    expect(await store.add(proposal)).toBe(false);
    expect(await store.read(proposal.id)).toEqual({ proposal, decisions: [] });
    expect(await store.decide(proposal.id, rejected, 1)).toBe(false);
    expect(await store.decide(proposal.id, rejected, 0)).toBe(true);
    expect(await store.decide(proposal.id, rejected, 0)).toBe(false);
    expect(await store.decide('unknown-0', rejected, 0)).toBe(false);
    const record = await store.read(proposal.id);
    expect(record?.decisions).toEqual([rejected]);
    expect(record && statusOf(record)).toBe('rejected');
    const second = await make('Two.');
    await store.add(second);
    expect((await store.list()).toSorted()).toEqual([proposal.id, second.id].toSorted());
  });

  it('PRP-2: of adding the same at once, one adds', async () => {
    const store = await open();
    const proposal = await make('One.');
    const added = await Promise.all([store.add(proposal), store.add(proposal)]);
    // Drivers of unstorage have no conditional writes; both write the same text.
    expect(added).toContain(true);
    expect(await store.list()).toEqual([proposal.id]);
  });
});

describe('a folder of proposals', () => {
  it('PRP-2: is no source of skills, wherever it lies, and its files read as files', async () => {
    const root = await temporaryFolder();
    const store = folderProposalStore(path.join(root, 'proposals'));
    const proposal = await make('One.');
    await store.add(proposal);
    const { skills } = await fileSystemSkillProvider({ roots: [root] }).listSkills();
    expect(skills).toEqual([]);
    expect(await readFile(path.join(root, 'proposals', proposal.id, 'files', 'SKILL.md.proposed'), 'utf8')).toContain('One.');
    expect((await readdir(path.join(root, 'proposals'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('PRP-2: refuses what was changed by hand, and follows no path out of itself', async () => {
    const root = await temporaryFolder();
    const store = folderProposalStore(root);
    const proposal = await make('One.');
    await store.add(proposal);
    await writeFile(path.join(root, proposal.id, 'files', 'SKILL.md.proposed'), skillMd('fresh', 'Two.'));
    await expect(store.read(proposal.id)).rejects.toMatchObject({ code: 'digest-mismatch' });
    await mkdir(path.join(root, 'evil'));
    await writeFile(path.join(root, 'secret.proposed'), 'secret');
    const json = { ...proposal, id: 'evil', files: [{ path: '../../secret', replaces: null }] };
    await writeFile(path.join(root, 'evil', 'proposal.json'), JSON.stringify(json));
    await expect(store.read('evil')).rejects.toMatchObject({ code: 'invalid-path' });
    expect(await store.read('../evil')).toBeNull();
  });
});
