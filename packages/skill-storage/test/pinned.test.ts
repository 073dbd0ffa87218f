import { SkillRegistry } from '@repertoire/skills-core';
import { digestOfSkill, sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage, storageSkillProvider } from '../src/index.ts';
import { MemoryStore } from './support/memory-store.ts';

const source = (file: string, skillMd?: string) =>
  new SkillRegistry({
    skills: [
      {
        name: 'haiku',
        description: 'Writes haiku.',
        body: 'Five.',
        resources: { 'a.md': file },
        ...(skillMd !== undefined && { skillMd }),
      },
    ],
  });

describe('content of published skills', () => {
  it.each([undefined, '---\nname: haiku\ndescription: Writes haiku.\n---\nFive.\n'])(
    'SRC-9: is told by the release, and an earlier one is got by its content while the store keeps it (%s)',
    async (skillMd) => {
      const store = new MemoryStore();
      await publishSkillsToStorage(store, source('one', skillMd));
      const provider = storageSkillProvider({ store, staleAfterMs: 0 });
      const before = (await digestOfSkill(provider, 'haiku'))?.digest ?? '';
      expect([await provider.contentOf?.('haiku'), (await provider.getSkill('haiku'))?.content]).toEqual([before, before]);
      await publishSkillsToStorage(store, source('two', skillMd));
      const after = (await digestOfSkill(provider, 'haiku'))?.digest;
      expect([await provider.contentOf?.('haiku'), after === before]).toEqual([after, false]);
      expect((await provider.getSkill('haiku', { content: before }))?.content).toBe(before);
      const read = async (options: object) => new TextDecoder().decode((await provider.readResource('haiku', 'a.md', options))?.bytes);
      expect([await read({}), await read({ content: before }), await read({ digest: await sha256Hex('two'), maxBytes: 1 })]).toEqual([
        'two',
        'one',
        't',
      ]);
      expect(await provider.readResource('haiku', 'a.md', { digest: await sha256Hex('one') })).toBeNull();
      expect(await provider.getSkill('haiku', { content: 'a'.repeat(64) })).toBeNull();
      expect(await provider.getSkill('haiku', { place: 'other' })).toBeNull();
    },
  );
});
