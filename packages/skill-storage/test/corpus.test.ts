import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LockedSkill } from '@repertoire/skills-core/internal';
import { createSkillLock } from '@repertoire/skill-trust/lock';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { publishSkillsToStorage, storageSkillProvider } from '../src/index.ts';
import { MemoryStore } from './support/memory-store.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpus');
const here = existsSync(corpus);

describe('SRC-9, CON-9: skills as their authors published them', () => {
  beforeEach((context) => context.skip(!here, 'the corpus of published skills is not beside the project (../shared/corpus)'));

  it('come out of a store as they went in, byte for byte', async () => {
    const store = new MemoryStore();
    const provider = fileSystemSkillProvider({ roots: [corpus], trusted: false, limits: { depth: 12 } });
    const { skills } = await publishSkillsToStorage(store, provider, { lenient: true });
    expect(skills).toBeGreaterThan(500);
    const withoutSource = ({ source: _source, ...rest }: LockedSkill) => rest;
    const [before, after] = [await createSkillLock(provider), await createSkillLock(storageSkillProvider({ store }))];
    expect(after.skills.map(withoutSource)).toEqual(before.skills.map(withoutSource));
    expect((await publishSkillsToStorage(store, provider, { lenient: true })).changed).toBe(false);
  });
});
