import { execFileSync } from 'node:child_process';
import fs, { renameSync, truncateSync } from 'node:fs';
import { link, symlink, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digestOfSkill, sha256Hex, skillDigest } from '@repertoire/skills-core/provider';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const text = (resource: { readonly bytes: Uint8Array } | null): string | null =>
  resource === null ? null : new TextDecoder().decode(resource.bytes);

async function library() {
  const folder = await temporaryFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/references/guide.md': 'Guide',
    'skills/a/references/deep/er.md': 'Deeper',
    'skills/b/SKILL.md': skillMd('b'),
    'secret.md': 'Secret',
  });
  return { folder, provider: fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 0 }) };
}

describe('CON-2: SKILL.md as its author wrote it', () => {
  const odd = new TextEncoder().encode(
    '\uFEFF---\r\nname: odd\r\ndescription: Use when: it breaks\r\nlist: [ 1,2 ]   # kept\r\n---\r\n\r\nBody\r\n\r\n',
  );

  it('reads the bytes of the file: mark, line ends, comments and all', async () => {
    const folder = await temporaryFolder({ 'odd/SKILL.md': odd });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(await provider.readResource('odd', 'SKILL.md')).toEqual({
      path: 'SKILL.md',
      bytes: odd,
      size: odd.length,
      mediaType: 'text/markdown',
      digest: await sha256Hex(odd),
    });
    expect((await provider.readResource('odd', 'SKILL.md', { maxBytes: 5 }))?.digest).toBeUndefined();
    expect(await provider.readResource('odd', 'SKILL.md', { maxBytes: 5 })).toMatchObject({ bytes: odd.slice(0, 5), size: odd.length });
    const skill = await provider.getSkill('odd');
    expect(skill).toMatchObject({ description: 'Use when: it breaks', body: 'Body', resources: [] });
    expect(skill?.diagnostics.map(({ code }) => code)).toContain('byte-order-mark');
  });

  it('reads a skill.md of other case under the one name, and the version that is asked for', async () => {
    const folder = await temporaryFolder({
      'small/skill.md': skillMd('small'),
      'a/SKILL.md': skillMd('many', 'version: 1.0.0', 'One'),
      'b/SKILL.md': skillMd('many', 'version: 2.0.0', 'Two'),
      'c/SKILL.md': skillMd('many', '', 'None'),
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(text(await provider.readResource('small', 'SKILL.md'))).toBe(skillMd('small'));
    expect(text(await provider.readResource('many', 'SKILL.md'))).toContain('Two');
    expect(text(await provider.readResource('many', 'SKILL.md', { version: '1.0.0' }))).toContain('One');
    expect(text(await provider.readResource('many', 'SKILL.md', { version: null }))).toContain('None');
    expect((await provider.getSkill('many', { version: null }))?.body).toBe('None');
    expect(await provider.readResource('many', 'SKILL.md', { version: '3.0.0' })).toBeNull();
    expect(await provider.readResource('none', 'SKILL.md')).toBeNull();
  });

  it('the digest of a skill is that of its folder', async () => {
    const files = { 'SKILL.md': odd, 'a.bin': Uint8Array.of(0, 255), 'references/b.md': '\uFEFFb\r\n' };
    const folder = await temporaryFolder(Object.fromEntries(Object.entries(files).map(([inner, content]) => [`odd/${inner}`, content])));
    const digests = await digestOfSkill(fileSystemSkillProvider({ roots: [folder.path] }), 'odd');
    expect(digests?.digest).toBe(await skillDigest(files));
    const sums = execFileSync('sha256sum', Object.keys(files), { cwd: folder.at('odd'), encoding: 'utf8' })
      .trim()
      .split('\n');
    const digested = Object.entries(digests?.files ?? {}).map(([inner, digest]) => `${digest}  ${inner}`);
    expect(digested.sort()).toEqual(sums.sort());
  });

  it('is neither reached through a link that leaves the root, nor read beyond its limit', async () => {
    const folder = await temporaryFolder({ 'root/a/SKILL.md': skillMd('a'), 'outside.md': skillMd('a', '', 'Outside') });
    const provider = fileSystemSkillProvider({ roots: [folder.at('root')], staleAfterMs: Infinity, limits: { skillBytes: 100 } });
    await provider.listSkills();
    await writeFile(folder.at('root/a/SKILL.md'), skillMd('a', '', 'x'.repeat(200)));
    await expect(provider.readResource('a', 'SKILL.md')).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect((await provider.readResource('a', 'SKILL.md', { maxBytes: 3 }))?.bytes).toHaveLength(3);
    await unlink(folder.at('root/a/SKILL.md'));
    expect(await provider.readResource('a', 'SKILL.md')).toBeNull();
    await symlink(folder.at('outside.md'), folder.at('root/a/SKILL.md'));
    expect(await provider.readResource('a', 'SKILL.md')).toBeNull();
  });
});

describe('SRC-2: hard links', () => {
  it('are served unless the host refuses them, and what is refused is told (ATK-46)', async () => {
    const { folder } = await library();
    await link(folder.at('secret.md'), folder.at('skills/a/linked.md'));
    await folder.write({ 'outside/SKILL.md': skillMd('c'), 'skills/c/x.md': 'X' });
    await link(folder.at('outside/SKILL.md'), folder.at('skills/c/SKILL.md'));
    const roots = [folder.at('skills')];
    const allowing = fileSystemSkillProvider({ roots });
    expect(text(await allowing.readResource('a', 'linked.md'))).toBe('Secret');
    expect((await allowing.listSkills()).skills.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const refusing = fileSystemSkillProvider({ roots, hardLinks: 'refuse' });
    const { skills, diagnostics } = await refusing.listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(diagnostics).toMatchObject([{ code: 'hard-link-refused', severity: 'error', skill: 'c', path: folder.at('skills/c/SKILL.md') }]);
    expect(await refusing.readResource('a', 'linked.md')).toBeNull();
    const skill = await refusing.getSkill('a');
    expect(skill?.resources.map((resource) => resource.path)).toEqual(['references/deep/er.md', 'references/guide.md']);
    expect(skill?.diagnostics).toMatchObject([{ code: 'hard-link-refused', severity: 'error', path: folder.at('skills/a/linked.md') }]);
    // A link that is made after the list was read is noticed when the file is opened.
    await link(folder.at('skills/b/SKILL.md'), folder.at('elsewhere.md'));
    expect(await refusing.getSkill('b')).toBeNull();
    expect(await refusing.readResource('b', 'SKILL.md')).toBeNull();
  });
});

describe('SRC-2: files that change while they are read', () => {
  it('a file that is swapped for another between opening and the check of its path is not read', async () => {
    const { folder, provider } = await library();
    const file = folder.at('skills/a/references/guide.md');
    // The first read after a time of quiet is left to a thread.
    expect(text(await provider.readResource('a', 'references/guide.md'))).toBe('Guide');
    const original = fs.fstatSync as (...all: unknown[]) => { ino: number | bigint };
    const { ino } = fs.statSync(file);
    let isSwapped = false;
    const stat = vi.spyOn(fs, 'fstatSync').mockImplementation(((...all: unknown[]) => {
      const stats = original(...all);
      if (!isSwapped && Number(stats.ino) === ino) {
        isSwapped = true;
        renameSync(folder.at('secret.md'), file);
      }
      return stats;
    }) as never);
    onTestFinished(() => stat.mockRestore());
    expect(await provider.readResource('a', 'references/guide.md')).toBeNull();
    expect(isSwapped).toBe(true);
  });

  it('one that stays where it is needs no second look on Linux, where the kernel tells its path', async () => {
    const { provider } = await library();
    await provider.readResource('a', 'references/guide.md');
    const realpath = vi.spyOn(fs.realpathSync, 'native');
    onTestFinished(() => realpath.mockRestore());
    expect(text(await provider.readResource('a', 'references/guide.md'))).toBe('Guide');
    const followed = realpath.mock.calls.filter(([file]) => String(file).endsWith('guide.md'));
    expect(followed).toHaveLength(process.platform === 'linux' ? 0 : process.platform === 'win32' ? 2 : 1);
  });

  it('what is not there is not opened, nor its path followed', async () => {
    const { provider } = await library();
    await provider.readResource('a', 'references/guide.md');
    const calls = [vi.spyOn(fs.realpathSync, 'native'), vi.spyOn(fs, 'openSync')];
    onTestFinished(() => calls.forEach((call) => call.mockRestore()));
    expect(await provider.readResource('a', 'references/none.md')).toBeNull();
    const touched = calls.flatMap(({ mock }) => mock.calls.map(([file]) => String(file))).filter((file) => file.endsWith('none.md'));
    expect(touched.length).toBe(process.platform === 'win32' ? 1 : 0);
    expect(await provider.readResource('a', 'references/guide.md/none.md')).toBeNull();
  });

  it('a file that shrinks between opening and reading has the size of what was read', async () => {
    const { folder, provider } = await library();
    await folder.write({ 'skills/a/long.md': 'x'.repeat(1_000) });
    await provider.listSkills();
    const { read: byThread, readSync: atOnce } = fs;
    const shrinking = (call: unknown) =>
      ((...all: unknown[]) => {
        // Not sooner: what was short when it was opened is no file that shrank.
        if (fs.fstatSync(all[0] as number).size === 1_000) truncateSync(folder.at('skills/a/long.md'), 10);
        return (call as (...all: unknown[]) => unknown)(...all);
      }) as never;
    const spies = [
      vi.spyOn(fs, 'read').mockImplementation(shrinking(byThread)),
      vi.spyOn(fs, 'readSync').mockImplementation(shrinking(atOnce)),
    ];
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    expect(await provider.readResource('a', 'long.md')).toMatchObject({ size: 10, bytes: new TextEncoder().encode('x'.repeat(10)) });
  });

  it('CON-2: maxBytes beyond 2 GiB, which is more than one call of the system reads', async () => {
    const { folder, provider } = await library();
    const [size, huge] = [2 ** 31 + 2 ** 20, folder.at('skills/a/huge.bin')];
    await writeFile(huge, '');
    truncateSync(huge, size);
    const lengths: number[] = [];
    // Not the whole file, which is hashed: that reads all of the memory.
    const maxBytes = size - 1;
    const original = fs.readSync as (...all: unknown[]) => number;
    // Without the contents: the file is a hole, and so is the memory as long as nothing is written there.
    const read = vi.spyOn(fs, 'readSync').mockImplementation(((...all: [number, Uint8Array, number, number, number]) => {
      const [, { byteLength }, , length] = all;
      if (byteLength < maxBytes) return original(...all);
      lengths.push(length);
      return length;
    }) as never);
    onTestFinished(() => read.mockRestore());
    const resource = await provider.readResource('a', 'huge.bin', { maxBytes });
    expect([resource?.bytes.length, resource?.size]).toEqual([maxBytes, size]);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(maxBytes);
    expect(lengths.reduce((most, length) => Math.max(most, length), 0)).toBeLessThan(2 ** 31);
  });
});
