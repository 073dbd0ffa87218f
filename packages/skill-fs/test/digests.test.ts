import { createHash } from 'node:crypto';
import fs, { truncateSync } from 'node:fs';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { knownSkillMd } from '@repertoire/skills-core/internal';
import { digestOfSkill } from '@repertoire/skills-core/provider';
import { DiskPace } from '../src/disk-pace.ts';
import { FileDigests } from '../src/file-digests.ts';
import { fileSystemSkillProvider, type FileSystemSkillProviderOptions } from '../src/index.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const large = new Uint8Array(600_000).map((_, index) => (index * 31 + (index >> 9)) & 0xff);

/** A library whose files are old enough to be believed. */
async function library(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/guide.md': 'Guide',
    'skills/a/large.bin': large,
    'skills/b/SKILL.md': skillMd('b'),
    'skills/b/notes.md': 'Notes',
  });
  for (const file of ['a/guide.md', 'a/large.bin', 'b/notes.md']) await age(folder.at(`skills/${file}`));
  // The time of the last change cannot be set, so the clock is.
  const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
  onTestFinished(() => now.mockRestore());
  return folder;
}

async function age(file: string): Promise<void> {
  await utimes(file, 1_700_000_000, 1_700_000_000);
}

function open(folder: TemporaryFolder, digests: FileSystemSkillProviderOptions['digests']) {
  return fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 0, digests });
}

async function digestsOf(provider: ReturnType<typeof open>, name: string): Promise<Record<string, string | undefined>> {
  const skill = await provider.getSkill(name);
  return Object.fromEntries((skill?.resources ?? []).map(({ path, digest }) => [path, digest]));
}

/** The files that are opened from now on, besides SKILL.md. */
function watchOpens(): () => string[] {
  const opened: string[] = [];
  for (const method of ['open', 'openSync'] as const) {
    const original = fs[method] as (...all: unknown[]) => unknown;
    const spy = vi.spyOn(fs, method).mockImplementation(((file: string, ...rest: unknown[]) => {
      if (!file.endsWith('SKILL.md')) opened.push(file.slice(file.lastIndexOf('/') + 1));
      return original(file, ...rest);
    }) as never);
    onTestFinished(() => spy.mockRestore());
  }
  return () => opened.splice(0).sort();
}

describe('SRC-1: what is known of a SKILL.md', () => {
  it('comes with its bytes, of every reading anew, and with no copy of them', async () => {
    const folder = await library();
    const provider = open(folder, true);
    await provider.listSkills();
    const text = skillMd('a', '', 'Edited after the listing.');
    await writeFile(folder.at('skills/a/SKILL.md'), text);
    const bytes = (await provider.getSkill('a', { withBytes: 65_536 }))?.files?.['SKILL.md'] ?? new Uint8Array();
    expect(knownSkillMd(bytes)).toEqual({ name: 'a', digest: sha256(text) });
    expect(knownSkillMd(bytes.slice())).toBeUndefined();
  });

  it('is not told where the host reads longer frontmatter than others do', async () => {
    const folder = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { frontmatterBytes: 32_768 } });
    const bytes = (await provider.getSkill('a', { withBytes: 65_536 }))?.files?.['SKILL.md'] ?? new Uint8Array();
    expect(sha256(bytes)).toBe(sha256(skillMd('a')));
    expect(knownSkillMd(bytes)).toBeUndefined();
  });
});

describe('SRC-1: digests of files', () => {
  it('are in the list unless the host does without, and in what is read as a whole', async () => {
    const folder = await library();
    expect(await digestsOf(open(folder, false), 'a')).toEqual({ 'guide.md': undefined, 'large.bin': undefined });
    const provider = open(folder, undefined);
    expect(await digestsOf(provider, 'a')).toEqual({ 'guide.md': sha256('Guide'), 'large.bin': sha256(large) });
    expect((await provider.readResource('a', 'guide.md'))?.digest).toBe(sha256('Guide'));
    expect((await provider.readResource('a', 'guide.md', { maxBytes: 3 }))?.digest).toBeUndefined();
    expect((await provider.readResource('a', 'guide.md', { maxBytes: 5 }))?.digest).toBe(sha256('Guide'));
  });

  it('are of bytes that come along where the skill is copied, so that each file is opened once', async () => {
    const folder = await library();
    const provider = open(folder, undefined);
    await provider.listSkills();
    const looked = vi.spyOn(fs, 'lstatSync');
    onTestFinished(() => looked.mockRestore());
    const opened = watchOpens();
    const skill = await provider.getSkill('a', { withBytes: 1_000_000 });
    // Opening one says what it is.
    expect(looked).not.toHaveBeenCalled();
    expect(skill?.files).toEqual({
      'SKILL.md': new TextEncoder().encode(skillMd('a')),
      'guide.md': new TextEncoder().encode('Guide'),
      'large.bin': large,
    });
    expect(await digestOfSkill(provider, 'a')).toMatchObject({ digest: skill?.content, files: { 'large.bin': sha256(large) } });
    expect(opened()).toEqual(['guide.md', 'guide.md', 'large.bin', 'large.bin']);
    expect(Object.keys((await provider.getSkill('a', { withBytes: 600_000 }))?.files ?? {})).toEqual(['SKILL.md', 'guide.md']);
    expect((await provider.getSkill('a'))?.files).toBeUndefined();
  });

  it('are of files of any size up to the limit of what can be read as a whole', async () => {
    const folder = await library();
    const sizes = [0, 262_143, 262_144, 262_145, 1_048_576, 1_048_577, 3_000_000];
    const files = sizes.map(
      (size) => [`${size}.bin`, Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 11)) & 0xff)] as const,
    );
    for (const [name, bytes] of files) await folder.write({ [`skills/b/${name}`]: bytes });
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { resourceBytes: 2_999_999 } });
    const expected = Object.fromEntries(files.map(([name, bytes]) => [name, bytes.length < 3_000_000 ? sha256(bytes) : undefined]));
    expect(await digestsOf(provider, 'b')).toEqual({ ...expected, 'notes.md': sha256('Notes') });
    for (const [name, bytes] of files) {
      const read = await provider.readResource('b', name, { maxBytes: 3_000_000 });
      expect([read?.digest, read?.size]).toEqual([sha256(bytes), bytes.length]);
      expect(Buffer.compare(read?.bytes ?? new Uint8Array(), bytes)).toBe(0);
    }
  });

  it('are there whatever fraction of a second a file was changed at, and a skill counts as unchanged then, too', async () => {
    const folder = await library();
    const seconds = [1_700_000_000.123, 1_700_000_000.999_999, 1_700_000_001.5, -1.25, 0.001];
    for (let index = 0; index < 60; index += 1) seconds.push(1_700_000_000 + index + index / 1_000);
    for (const [index, time] of seconds.entries()) {
      await folder.write({ [`skills/b/${index}.md`]: 'Text' });
      await utimes(folder.at(`skills/b/${index}.md`), time, time);
    }
    const found = await digestsOf(open(folder, true), 'b');
    expect(Object.values(found).filter((digest) => digest === undefined)).toEqual([]);
    expect(Object.keys(found)).toHaveLength(seconds.length + 1);

    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 3_600_000 });
    for (const time of seconds) {
      await utimes(folder.at('skills/a/SKILL.md'), time, time);
      await provider.getSkill('a');
      const listing = await provider.listSkills();
      // What looks changed makes a new index, and this one is answered from memory for an hour.
      await folder.write({ 'skills/later/SKILL.md': skillMd('later') });
      await provider.getSkill('a');
      expect((await provider.listSkills()).skills).toBe(listing.skills);
      await folder.remove('skills/later');
    }
  });

  it('are right, and each file is read once for them as long as it looks the same', async () => {
    const folder = await library();
    const opened = watchOpens();
    const provider = open(folder, true);
    const digests = { 'guide.md': sha256('Guide'), 'large.bin': sha256(large) };
    expect(await digestsOf(provider, 'a')).toEqual(digests);
    expect(opened()).toEqual(['guide.md', 'large.bin']);
    expect(await digestsOf(provider, 'a')).toEqual(digests);
    expect(opened()).toEqual([]);
    // The same size and the same time: only the time of the change of its inode tells.
    await writeFile(folder.at('skills/a/guide.md'), 'guide');
    await age(folder.at('skills/a/guide.md'));
    opened();
    expect(await digestsOf(provider, 'a')).toEqual({ ...digests, 'guide.md': sha256('guide') });
    expect(opened()).toEqual(['guide.md']);
  });

  it('of a file that was changed just now are not kept, since it may change again and look the same', async () => {
    const folder = await library();
    vi.spyOn(Date, 'now').mockRestore();
    const opened = watchOpens();
    for (let time = 0; time < 2; time += 1) {
      // Neither by this provider nor for the next one.
      const provider = open(folder, { folder: folder.at('cache') });
      for (let again = 0; again < 2; again += 1) {
        expect(await digestsOf(provider, 'b')).toEqual({ 'notes.md': sha256('Notes') });
        expect(opened()).toEqual(['notes.md']);
      }
      await provider[Symbol.asyncDispose]();
      opened();
    }
  });

  it('are of no file that shrank while it was read', async () => {
    const folder = await temporaryFolder({ 'large.bin': large });
    const digests = new FileDigests(null, 'allow', new DiskPace());
    const read = async (meanwhile: () => void) => {
      const original = fs.readSync as (...all: unknown[]) => number;
      // The file is open by then, and nothing of it is read.
      const spy = vi.spyOn(fs, 'readSync').mockImplementationOnce((...all: unknown[]) => {
        meanwhile();
        return original(...all);
      });
      onTestFinished(() => spy.mockRestore());
      return (await digests.file(folder.at('large.bin'), large.length))?.digest;
    };
    expect(await read(() => truncateSync(folder.at('large.bin'), 100_000))).toBeNull();
    expect(await read(() => undefined)).toBe(sha256(large.subarray(0, 100_000)));
  });

  it('are known to the next process from a folder of the host, which nobody else may read', async () => {
    const folder = await library();
    const cache = folder.at('cache/deep');
    const first = open(folder, { folder: cache });
    const digests = [await digestsOf(first, 'a'), await digestsOf(first, 'b')];
    await first[Symbol.asyncDispose]();
    expect((await stat(cache)).mode & 0o777).toBe(0o700);
    expect((await stat(`${cache}/digests-1.jsonl`)).mode & 0o777).toBe(0o600);
    const opened = watchOpens();
    const second = open(folder, { folder: cache });
    expect([await digestsOf(second, 'a'), await digestsOf(second, 'b')]).toEqual(digests);
    expect(opened()).toEqual([]);
    await writeFile(folder.at('skills/b/notes.md'), 'Other');
    expect(await digestsOf(second, 'b')).toEqual({ 'notes.md': sha256('Other') });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another form', '{"a":1}'],
    ['lines of another form', '[1,2,3]\n["x",1,1,1,1,1,"zz"]\n[1,1,1,1,1,1,"00"]'],
  ])('are read from the files where the folder holds %s', async (_, content) => {
    const folder = await library();
    await folder.write({ 'cache/digests-1.jsonl': content });
    const provider = open(folder, { folder: folder.at('cache') });
    expect(await digestsOf(provider, 'b')).toEqual({ 'notes.md': sha256('Notes') });
    await provider[Symbol.asyncDispose]();
    expect(await readFile(folder.at('cache/digests-1.jsonl'), 'utf8')).toContain(sha256('Notes'));
  });

  it('are there where the folder cannot be written, too', async () => {
    const folder = await library();
    await folder.write({ cache: 'a file' });
    const provider = open(folder, { folder: folder.at('cache') });
    expect(await digestsOf(provider, 'b')).toEqual({ 'notes.md': sha256('Notes') });
    await provider[Symbol.asyncDispose]();
  });

  it('CON-3: a folder that cannot be written is reported with the listing, once it was tried', async () => {
    const folder = await library();
    await folder.write({ cache: 'a file' });
    const provider = open(folder, { folder: folder.at('cache') });
    const reported = async () => (await provider.listSkills()).diagnostics.filter(({ code }) => code === 'digests-not-kept');
    expect(await reported()).toEqual([]);
    await digestsOf(provider, 'b');
    await vi.waitFor(async () => expect(await reported()).toMatchObject([{ severity: 'warning', path: folder.at('cache') }]), 240_000);
    expect(await provider.listSkills()).toBe(await provider.listSkills());
    // The same report stands beside skills that came later.
    await folder.write({ 'skills/c/SKILL.md': skillMd('c') });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await reported()).toHaveLength(1);
    await provider[Symbol.asyncDispose]();
  });

  it.each([['cache'], [{}], [{ folder: '' }], [{ folder: 1 }], [null]])('refuses %j as an option', (digests) => {
    const refused = () => fileSystemSkillProvider({ roots: ['x'], digests: digests as never });
    expect(refused).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });
});
