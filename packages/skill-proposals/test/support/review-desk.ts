import { createSkillset, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, readSkillFiles } from '@repertoire/skills-core/provider';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { publishSkillsToStorage, unstorageSkillStore } from '@repertoire/skill-storage';
import { writableStorageSkillProvider } from '@repertoire/skill-storage/write';
import { createStorage } from 'unstorage';
import {
  acceptProposal,
  memoryProposalStore,
  proposedContent,
  rejectProposal,
  restoredContent,
  undoProposal,
  type SkillFilesByPath,
  type SkillProposalStore,
} from '../../src/index.ts';
import { createSkillProposal } from '../../src/proposal/create-skill-proposal.ts';
import { skillMd } from './library.ts';

/** What the parts of a library do; each of them can be broken on purpose. */
export interface ReviewDesk {
  readonly store: SkillProposalStore;
  /** What agents read and people write. */
  readonly provider: SkillProvider & Required<Pick<SkillProvider, 'write'>>;
  /** What conversations are opened on. */
  readonly served: SkillProvider;
  propose(skill: string, word: string): Promise<string>;
  /** The digest that a person is shown. */
  show(id: string): Promise<string>;
  accept(id: string, content: string, by: string): Promise<unknown>;
  reject(id: string): Promise<unknown>;
  undo(id: string): Promise<unknown>;
}

export const deskSkills = ['refunds', 'fresh'] as const;

/** A library with one skill, in a store in memory. */
export async function reviewDesk(): Promise<ReviewDesk> {
  const skills = unstorageSkillStore(createStorage());
  const { definition } = skillFromFiles({ 'SKILL.md': skillMd('refunds', 'Start. End.') });
  await publishSkillsToStorage(skills, new SkillRegistry({ skills: definition === null ? [] : [definition] }));
  const provider = writableStorageSkillProvider({ store: skills, onlyWriter: true, staleAfterMs: 0 });
  const store = memoryProposalStore();
  return {
    store,
    provider,
    served: provider,
    async propose(skill, word) {
      const files = await filesOf(provider, skill);
      const made =
        files === null
          ? { base: null, files: [{ path: 'SKILL.md', text: skillMd(skill, `Start. ${word} End.`) }] }
          : {
              base: { source: 'storage', place: skill, version: null, content: (await contentOf(provider, skill)) ?? '', files },
              edits: [{ path: 'SKILL.md', old: 'Start.', new: `Start. ${word}` }],
            };
      const proposal = await createSkillProposal({ skill, ...made, reason: 'x', created: new Date(0) });
      await store.add(proposal);
      return proposal.id;
    },
    async show(id) {
      const record = await store.read(id);
      if (record === null) throw new Error('There is no such proposal.');
      return (await proposedContent(provider, record.proposal)).after.content;
    },
    accept: (id, content, by) => acceptProposal(store, provider, id, { by, content }),
    reject: (id) => rejectProposal(store, id, { by: 'Ada' }),
    undo: async (id) => undoProposal(store, provider, id, { by: 'Ada', content: await restored(store, provider, id) }),
  };
}

/** Everything that a new conversation could see, as one text. */
export async function seenBy({ served }: ReviewDesk): Promise<string> {
  const session = await createSkillset({ provider: served }).open();
  const files = await Promise.all(deskSkills.map(async (name) => Object.values((await filesOf(served, name)) ?? {})));
  return [
    session.catalog.text,
    JSON.stringify(session.tools.map(({ name, description }) => [name, description])),
    ...files.flat().map((bytes) => new TextDecoder().decode(bytes)),
  ].join('\n');
}

export async function contentOf(provider: SkillProvider, name: string): Promise<string | null> {
  return (await digestOfSkill(provider, name))?.digest ?? null;
}

async function filesOf(provider: SkillProvider, name: string): Promise<SkillFilesByPath | null> {
  const skill = await provider.getSkill(name);
  return skill === null ? null : (await readSkillFiles(provider, skill)).files;
}

/** What a person is shown before an undo. */
async function restored(store: SkillProposalStore, provider: SkillProvider, id: string): Promise<string | null> {
  const record = await store.read(id);
  return record === null ? null : ((await restoredContent(provider, record)).after?.content ?? null);
}
