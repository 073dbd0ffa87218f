import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillRegistry } from '@repertoire/skills-core';
import { digestOfSkill, skillDigest } from '@repertoire/skills-core/provider';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pruneSkills, publishSkillsToStorage, storageSkillProvider } from '../src/index.ts';
import { MemoryStore } from './support/memory-store.ts';

const files: Readonly<Record<string, string | Uint8Array>> = {
  'SKILL.md': '\uFEFF---\r\nname: odd\r\ndescription: Use when: it breaks\r\nmetadata: { n: 1, list: [a] }  # kept\r\n---\r\n\r\nBody\r\n',
  'a.bin': Uint8Array.of(0, 255, 13, 10),
  'references/b.md': '\uFEFFb\r\n',
};

async function oddFolder(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'skill-storage-raw-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [inner, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, 'odd', inner)), { recursive: true });
    await writeFile(path.join(root, 'odd', inner), content);
  }
  return root;
}

describe('CON-2, SRC-9: a skill comes out of a store as its author wrote it', () => {
  it('with byte order mark, CRLF and comments; its digest is that of the folder', async () => {
    const folder = fileSystemSkillProvider({ roots: [await oddFolder()] });
    const store = new MemoryStore();
    const { uploads } = await publishSkillsToStorage(store, folder);
    expect(uploads.map((upload) => upload.path)).toEqual(['SKILL.md', 'a.bin', 'contents.json', 'references/b.md']);
    const stored = storageSkillProvider({ store });
    const skillMd = await stored.readResource('odd', 'SKILL.md');
    expect(skillMd?.bytes).toEqual(new TextEncoder().encode(files['SKILL.md'] as string));
    expect(skillMd).toMatchObject({ path: 'SKILL.md', mediaType: 'text/markdown', size: skillMd?.bytes.length });
    expect((await stored.readResource('odd', 'SKILL.md', { maxBytes: 4 }))?.bytes).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x2d));
    expect((await stored.getSkill('odd'))?.resources.map((resource) => resource.path)).toEqual(['a.bin', 'references/b.md']);
    const digests = await digestOfSkill(stored, 'odd');
    expect(digests?.digest).toBe(await skillDigest(files));
    expect(digests).toEqual(await digestOfSkill(folder, 'odd'));
  });

  it('through a second store too, and pruning leaves it there', async () => {
    const [first, second] = [new MemoryStore(), new MemoryStore()];
    await publishSkillsToStorage(first, fileSystemSkillProvider({ roots: [await oddFolder()] }));
    await publishSkillsToStorage(second, storageSkillProvider({ store: first }));
    expect((await pruneSkills(second, { graceMs: 0 })).removed).toEqual([]);
    expect((await digestOfSkill(storageSkillProvider({ store: second }), 'odd'))?.digest).toBe(await skillDigest(files));
  });

  it('a skill in code has no bytes of an author, there as here', async () => {
    const code = new SkillRegistry({ skills: [{ name: 'a', description: 'Does a.', body: 'A.', fields: { z: '1', b: '2' } }] });
    const store = new MemoryStore();
    await publishSkillsToStorage(store, code);
    const stored = storageSkillProvider({ store });
    expect(await stored.readResource('a', 'SKILL.md')).toBeNull();
    expect(await digestOfSkill(stored, 'a')).toEqual(await digestOfSkill(code, 'a'));
  });
});
