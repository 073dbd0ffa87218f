import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DiskPace } from '../src/disk-pace.ts';
import type { FileSystemSettings } from '../src/file-system-skill-provider-options.ts';
import { findSkippedSkills } from '../src/find-skipped-skills.ts';
import type { ResolvedSkillRoot } from '../src/skill-roots.ts';
import { walkFolders } from '../src/walk-folder.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('folders that are not looked into', () => {
  it('SRC-1: are told of up to a bounded number', async () => {
    const folder = await temporaryFolder({});
    for (let index = 0; index < 1_002; index += 1) mkdirSync(folder.at(`f-${index}`));
    const { skipped } = await walkFolders([{ absolute: folder.path, real: folder.path }], {
      depth: 1,
      maxDirectories: 10,
      links: 'none',
      boundary: folder.path,
      acceptFolder: () => false,
      acceptFile: () => false,
      noteSkipped: () => true,
      signal: new AbortController().signal,
      pace: new DiskPace(),
    });
    expect(skipped).toHaveLength(1_000);
  });

  it('SRC-1: count among those that are looked at for skills also where they cannot be read', async () => {
    const folder = await temporaryFolder({ 'last/SKILL.md': skillMd('last') });
    const tooDeep = async (gone: number): Promise<boolean> => {
      const names = [...Array.from({ length: gone }, (_, index) => `gone-${index}`), 'last'];
      const skipped = names.map((name) => ({ path: name, absolute: folder.at(name), real: folder.at(name), why: 'depth' as const }));
      const root = { path: folder.path } as ResolvedSkillRoot;
      const settings = { limits: { depth: 6 } } as FileSystemSettings;
      return (await findSkippedSkills(root, { skipped, walked: new Set() }, settings, new DiskPace(), new AbortController().signal))
        .tooDeep;
    };
    expect([await tooDeep(0), await tooDeep(500)]).toEqual([true, false]);
  });
});
