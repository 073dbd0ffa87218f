import { createSkillset, SkillError } from '@repertoire/skills-core';
import { memoryProposalStore, type SkillFilesByPath, type SkillProposal } from '@repertoire/skill-proposals';
import { createSkillProposal } from '../../../skill-proposals/src/proposal/create-skill-proposal.ts';
import { readSkillFiles, skillDigest } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { checkProposal, openCheckedLibrary } from '../../src/proposals/check-proposal.ts';
import { libraryFiles, providerOf } from './library.ts';
import { goodProposal, plantedKinds, type PlantedProposal } from './planted-proposals.ts';
import { seeded } from './seeded.ts';

const seed = 20_260_109;
const { signal } = new AbortController();
const encoder = new TextEncoder();

async function lab() {
  const provider = providerOf(libraryFiles);
  const store = memoryProposalStore();
  const context = await openCheckedLibrary(provider, store, signal);
  const filesOf = async (name: string): Promise<SkillFilesByPath | null> => {
    const skill = await provider.getSkill(name);
    return skill === null ? null : (await readSkillFiles(provider, skill)).files;
  };
  const create = async ({ skill, ...made }: PlantedProposal): Promise<SkillProposal> => {
    let files = await filesOf(skill);
    let planted: Omit<PlantedProposal, 'skill'> = made;
    if (files !== null && planted.reason === 'stale') {
      // Made for a text that the library does not have any more: nothing of the old text is left.
      const old = planted.edits?.[0]?.old ?? '';
      const text = new TextDecoder().decode(files['SKILL.md']).replace(old, 'Something else stood here.');
      files = { ...files, 'SKILL.md': encoder.encode(text) };
      planted = { ...planted, edits: [{ path: 'SKILL.md', old: 'Something else stood here.', new: planted.edits?.[0]?.new ?? '' }] };
    }
    const base = files === null ? null : { source: 'library', place: skill, version: null, content: await skillDigest(files), files };
    return await createSkillProposal({ skill, base, ...planted, created: new Date(0) });
  };
  /** The codes by which a proposal is told, errors apart; it is stored where it can be. */
  const told = async (planted: PlantedProposal): Promise<{ readonly codes: string[]; readonly errors: string[] }> => {
    try {
      const proposal = await create(planted);
      await store.add(proposal);
      const { findings } = await checkProposal({ proposal, decisions: [] }, context, signal);
      const errors = findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      return { codes: findings.map(({ code }) => code), errors };
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      return { codes: [error.code], errors: [error.code] };
    }
  };
  return { provider, store, told };
}

describe(`planted proposals, seed ${seed}`, () => {
  it('PRP-6: there are twenty kinds of bad ones', () => {
    expect(new Set(plantedKinds.map(({ kind }) => kind)).size).toBe(20);
  });

  it.each(plantedKinds)('PRP-6: ten of the kind $kind are each named, as an error', async ({ named, make }) => {
    const { told } = await lab();
    const random = seeded(seed);
    const missed: unknown[] = [];
    for (let index = 0; index < 10; index += 1) {
      const planted = make(random, index);
      const { codes, errors } = await told(planted);
      if (!codes.some((code) => named.includes(code)) || errors.length === 0) missed.push({ codes, ...planted });
    }
    expect(missed).toEqual([]);
  });

  it('PRP-6: of a hundred good ones, at most five have an error', async () => {
    const { told } = await lab();
    const random = seeded(seed);
    const flagged: unknown[] = [];
    for (let index = 0; index < 100; index += 1) {
      const planted = goodProposal(random, index);
      const { errors } = await told(planted);
      if (errors.length > 0) flagged.push({ errors, ...planted });
    }
    expect(flagged.length, JSON.stringify(flagged, null, 1)).toBeLessThanOrEqual(5);
  });

  it('PRP-6: none of them changes what any session sees', async () => {
    const { provider, store, told } = await lab();
    const skillset = createSkillset({ provider });
    const seen = async () => {
      const session = await skillset.open();
      return {
        text: session.catalog.text,
        tools: JSON.stringify(session.tools),
        names: session.catalog.listed.map(({ name, content }) => [name, content]),
      };
    };
    const before = await seen();
    const random = seeded(seed);
    for (const { make } of plantedKinds) for (let index = 0; index < 10; index += 1) await told(make(random, index));
    expect((await store.list()).length).toBeGreaterThan(100);
    expect(await seen()).toEqual(before);
  });
});
