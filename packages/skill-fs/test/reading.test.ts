import { execFileSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { chmod, link, mkdir, open, rename, symlink, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digestOfSkill } from '@repertoire/skills-core/lock';
import { skillDigest } from '@repertoire/skills-core/provider';
import { fileSystemSkillProvider } from '../src/index.ts';
import { openRegularFile } from '../src/open-regular-file.ts';
import { isWindowsTrick, resolveInside } from '../src/resolve-inside.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const text = (resource: { readonly bytes: Uint8Array } | null): string | null =>
  resource === null ? null : new TextDecoder().decode(resource.bytes);

async function library() {
  const folder = await temporaryFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/references/guide.md': 'Guide',
    'skills/a/references/deep/er.md': 'Deeper',
    'skills/b/SKILL.md': skillMd('b'),
    'skills/b/secret.md': 'Of b',
    'secret.md': 'Secret',
  });
  return { folder, provider: fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 0 }) };
}

describe('what a read cannot reach', () => {
  it.each([
    '../b/secret.md',
    '../../secret.md',
    'references/../../b/secret.md',
    'references/../references/guide.md',
    './references/guide.md',
    'references//guide.md',
    'references/guide.md/',
    '/etc/passwd',
    'C:/Windows/win.ini',
    'C:secret.md',
    'file:///etc/passwd',
    '\\\\server\\share\\x',
    '..\\b\\secret.md',
    'references\\guide.md',
    'references/guide.md\0',
    'references/guide.md\0.png',
    '%2e%2e/b/secret.md',
    '\uFF0E\uFF0E/b/secret.md',
    '\u2025/b/secret.md',
    '~/secret.md',
    '',
    '.',
    '..',
    'references',
    'references/deep',
    'nowhere.md',
    'references/guide.md/more',
    'x'.repeat(5_000),
    `references/${'x'.repeat(256)}`,
    'References/guide.md',
    'references/GUIDE.md',
    'skill.md',
    'Skill.MD',
    './SKILL.md',
    'SKILL.md/',
  ])('SRC-2: %j is null', async (hostile) => {
    const { provider } = await library();
    expect(await provider.readResource('a', hostile)).toBeNull();
  });

  it('SRC-2: hidden files, version control and installed dependencies are neither listed nor read', async () => {
    const { folder, provider } = await library();
    const trap = {
      '.env': 'TOKEN',
      'references/.env.local': 'TOKEN',
      '.git/config': 'x',
      'node_modules/x/index.js': 'x',
      '__pycache__/x.pyc': 'x',
      '.DS_Store': 'x',
      'scripts/.hidden/x.sh': 'x',
    };
    await folder.write(Object.fromEntries(Object.entries(trap).map(([inner, content]) => [`skills/a/${inner}`, content])));
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual([
      'references/deep/er.md',
      'references/guide.md',
    ]);
    for (const inner of Object.keys(trap)) expect(await provider.readResource('a', inner), inner).toBeNull();
    // Nor by another name.
    await folder.link('.env', 'skills/a/notes.md');
    await folder.link('../.env', 'skills/a/references/notes.md');
    expect(await provider.readResource('a', 'notes.md')).toBeNull();
    expect(await provider.readResource('a', 'references/notes.md')).toBeNull();
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual([
      'references/deep/er.md',
      'references/guide.md',
    ]);
  });

  it('SRC-2: a host can allow hidden files, and then still not version control', async () => {
    const { folder } = await library();
    await folder.write({ 'skills/a/.env.example': 'KEY=', 'skills/a/.config/x.json': '{}', 'skills/a/.git/config': 'x' });
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], hiddenFiles: true });
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual([
      '.config/x.json',
      '.env.example',
      'references/deep/er.md',
      'references/guide.md',
    ]);
    expect(text(await provider.readResource('a', '.env.example'))).toBe('KEY=');
    expect(await provider.readResource('a', '.git/config')).toBeNull();
  });

  it('SRC-2: a link may lead about in its own skill, and nowhere else, whatever the policy for skills', async () => {
    const { folder } = await library();
    await folder.link('references/guide.md', 'skills/a/inside.md');
    await folder.link('references', 'skills/a/docs');
    await folder.link('../b/secret.md', 'skills/a/neighbor.md');
    await folder.link('../b', 'skills/a/neighbor');
    await folder.link('/etc/hostname', 'skills/a/absolute.md');
    await folder.link('../../secret.md', 'skills/a/references/outside.md');
    await folder.link('references/..', 'skills/a/itself');
    await folder.link('loop.md', 'skills/a/loop.md');
    for (const links of ['inside', 'all', 'none'] as const) {
      const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], links });
      expect(text(await provider.readResource('a', 'inside.md'))).toBe('Guide');
      expect(text(await provider.readResource('a', 'docs/guide.md'))).toBe('Guide');
      for (const inner of ['neighbor.md', 'neighbor/secret.md', 'absolute.md', 'references/outside.md', 'loop.md', 'itself']) {
        expect(await provider.readResource('a', inner), `${links}: ${inner}`).toBeNull();
      }
      expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual([
        'inside.md',
        'references/deep/er.md',
        'references/guide.md',
      ]);
    }
  });

  it('SRC-2: pipes, sockets and devices are no files, and nothing waits for them', async () => {
    const { folder, provider } = await library();
    execFileSync('mkfifo', [folder.at('skills/a/pipe.md')]);
    execFileSync('mkfifo', [folder.at('skills/pipe-SKILL')]);
    await mkdir(folder.at('skills/piped'));
    await rename(folder.at('skills/pipe-SKILL'), folder.at('skills/piped/SKILL.md'));
    const server = createServer().listen(folder.at('skills/a/socket.md'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    await folder.link('/dev/zero', 'skills/a/device.md');
    for (const inner of ['pipe.md', 'socket.md', 'device.md']) expect(await provider.readResource('a', inner), inner).toBeNull();
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toEqual([
      'references/deep/er.md',
      'references/guide.md',
    ]);
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(await openRegularFile(folder.at('skills/piped/SKILL.md'), 'allow')).toBeNull();
    expect(await openRegularFile('/dev/zero', 'allow')).toBeNull();
    expect(await openRegularFile(folder.at('skills'), 'allow')).toBeNull();
  });

  it('SRC-2: a file that is swapped for a link between check and opening is not read', async () => {
    const { folder } = await library();
    const skill = folder.at('skills/a');
    const checked = await resolveInside(skill, 'references/guide.md');
    expect(checked).toEqual({ real: folder.at('skills/a/references/guide.md'), relative: 'references/guide.md' });
    await unlink(folder.at('skills/a/references/guide.md'));
    await symlink(folder.at('secret.md'), folder.at('skills/a/references/guide.md'));
    expect(await openRegularFile(checked?.real ?? '', 'allow')).toBeNull();
  });

  it('SRC-2: nor is one whose folder is swapped for a link', async () => {
    const { folder } = await library();
    const checked = await resolveInside(folder.at('skills/a'), 'references/guide.md');
    await folder.write({ 'outside/guide.md': 'Outside' });
    await rename(folder.at('skills/a/references'), folder.at('skills/a/was-references'));
    await symlink(folder.at('outside'), folder.at('skills/a/references'));
    expect(await openRegularFile(checked?.real ?? '', 'allow')).toBeNull();
  });

  it('SRC-2: a skill whose folder is swapped for a link out of the root serves nothing', async () => {
    const { folder } = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: Infinity });
    await provider.listSkills();
    await folder.write({ 'outside/SKILL.md': skillMd('a'), 'outside/references/guide.md': 'Outside' });
    await folder.remove('skills/a');
    await symlink(folder.at('outside'), folder.at('skills/a'));
    expect(await provider.readResource('a', 'references/guide.md')).toBeNull();
    expect(await provider.getSkill('a')).toBeNull();
  });

  it('SRC-2: names that Windows takes for something else', () => {
    const tricks = [
      'a.md:stream',
      'a.md::$DATA',
      'SKILL.md.',
      'SKILL.md ',
      'x/NUL',
      'con.txt',
      'LPT1',
      'a/COM3.log/b',
      'a?b',
      'a*b',
      'CONIN$',
    ];
    expect(tricks.filter((name) => !isWindowsTrick(name))).toEqual([]);
    expect(['a.md', 'console.md', 'null.txt', 'references/a b.md', 'comet.md', '.config/x'].filter(isWindowsTrick)).toEqual([]);
  });
});

describe('what a read gives', () => {
  it('SRC-2: names in another Unicode form are found by their NFC path', async () => {
    const folder = await temporaryFolder({
      'menus/SKILL.md': skillMd('menus'),
      'menus/cafe\u0301/men\u0075\u0308.md': 'Soup',
      'outside.md': 'x',
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const skill = await provider.getSkill('menus');
    expect(skill?.resources.map((resource) => resource.path)).toEqual(['caf\u00e9/men\u00fc.md']);
    expect(text(await provider.readResource('menus', 'caf\u00e9/men\u00fc.md'))).toBe('Soup');
    expect(await provider.readResource('menus', 'cafe\u0301/men\u0075\u0308.md')).toBeNull();
    expect(await provider.readResource('menus', 'caf\u00e9/other.md')).toBeNull();
  });

  it('SRC-2: of two names that differ in Unicode form only, the one in NFC is listed and read', async () => {
    const folder = await temporaryFolder({ 'm/SKILL.md': skillMd('m'), 'm/e\u0301.md': 'decomposed', 'm/\u00e9.md': 'composed!' });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.getSkill('m'))?.resources).toMatchObject([{ path: '\u00e9.md', size: 9 }]);
    expect(text(await provider.readResource('m', '\u00e9.md'))).toBe('composed!');
  });

  it('SRC-2: a file with a name that no path may have is not listed', async () => {
    const folder = await temporaryFolder({
      'm/SKILL.md': skillMd('m'),
      'm/line\nbreak.md': 'x',
      'm/back\\slash.md': 'x',
      'm/fine.md': 'x',
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.getSkill('m'))?.resources.map((resource) => resource.path)).toEqual(['fine.md']);
  });

  it('SRC-2: maxBytes reads no more than that, and the size is that of the file', async () => {
    const { folder, provider } = await library();
    await folder.write({ 'skills/a/long.bin': new Uint8Array(100_000).fill(7) });
    expect(await provider.readResource('a', 'long.bin', { maxBytes: 10 })).toEqual({
      path: 'long.bin',
      bytes: new Uint8Array(10).fill(7),
      size: 100_000,
      mediaType: 'application/octet-stream',
    });
    expect((await provider.readResource('a', 'long.bin', { maxBytes: 0 }))?.bytes).toHaveLength(0);
    expect((await provider.readResource('a', 'long.bin', { maxBytes: 1e9 }))?.bytes).toHaveLength(100_000);
  });

  it('SRC-2: a file beyond the limit can only be read in part', async () => {
    const { folder } = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { resourceBytes: 3 } });
    await expect(provider.readResource('a', 'references/guide.md')).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(text(await provider.readResource('a', 'references/guide.md', { maxBytes: 4 }))).toBe('Guid');
  });

  it('SRC-2: bytes are a plain Uint8Array over memory of their own', async () => {
    const { provider } = await library();
    const read = await provider.readResource('a', 'references/guide.md');
    expect(Object.getPrototypeOf(read?.bytes)).toBe(Uint8Array.prototype);
    expect(read?.bytes.buffer.byteLength).toBe(5);
  });

  it('SRC-2: a file that goes away between listing and reading is null', async () => {
    const { folder, provider } = await library();
    expect((await provider.getSkill('a'))?.resources).toHaveLength(2);
    await folder.remove('skills/a/references');
    expect(await provider.readResource('a', 'references/guide.md')).toBeNull();
    await folder.remove('skills/a');
    expect(await provider.readResource('a', 'references/guide.md')).toBeNull();
  });

  it('FMT-6: resources are listed with kind, media type and size, up to a limit that cuts no read', async () => {
    const { folder } = await library();
    await folder.write({
      'skills/a/scripts/run.sh': 'echo',
      'skills/a/assets/logo.png': '123',
      'skills/a/examples/one.md': '',
      'skills/a/LICENSE': 'MIT',
    });
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')] });
    expect(
      (await provider.getSkill('a'))?.resources.map(({ path: inner, kind, mediaType, size }) => [inner, kind, mediaType, size]),
    ).toEqual([
      ['LICENSE', 'other', 'application/octet-stream', 3],
      ['assets/logo.png', 'asset', 'image/png', 3],
      ['examples/one.md', 'example', 'text/markdown', 0],
      ['references/deep/er.md', 'reference', 'text/markdown', 6],
      ['references/guide.md', 'reference', 'text/markdown', 5],
      ['scripts/run.sh', 'script', 'application/x-sh', 4],
    ]);
    const limited = fileSystemSkillProvider({ roots: [folder.at('skills')], limits: { resources: 2 } });
    expect((await limited.getSkill('a'))?.resources.map(({ path: inner }) => inner)).toEqual(['LICENSE', 'assets/logo.png']);
    expect(text(await limited.readResource('a', 'scripts/run.sh'))).toBe('echo');
    expect((await limited.getSkill('a'))?.diagnostics).toMatchObject([{ code: 'resources-truncated', skill: 'a', severity: 'error' }]);
  });

  it('SRC-1: what may not be read takes nothing else down', async () => {
    const { folder } = await library();
    await folder.write({
      'skills/closed/SKILL.md': skillMd('closed'),
      'skills/private/SKILL.md': skillMd('private'),
      'skills/a/private.md': 'x',
    });
    await chmod(folder.at('skills/closed'), 0o000);
    await chmod(folder.at('skills/private/SKILL.md'), 0o000);
    await chmod(folder.at('skills/a/private.md'), 0o000);
    await chmod(folder.path, 0o755);
    // Permissions bind everyone but root, so where the tests run as root a process looks that has given that up.
    const script = `
      import { fileSystemSkillProvider } from ${JSON.stringify(pathToFileURL(path.resolve(import.meta.dirname, '../src/index.ts')).href)};
      if (process.getuid() === 0) process.setuid(65534);
      const provider = fileSystemSkillProvider({ roots: [${JSON.stringify(folder.at('skills'))}] });
      const listing = await provider.listSkills();
      const names = listing.skills.map(({ name }) => name);
      const diagnostics = listing.diagnostics.map(({ code, severity, skill, path }) => [code, severity, skill ?? null, path]);
      const closed = fileSystemSkillProvider({ roots: [${JSON.stringify(folder.at('skills/closed'))}] });
      const rejected = await closed.listSkills().then(() => 'listed', ({ code }) => code);
      console.log(JSON.stringify({ names, complete: listing.complete, diagnostics, resource: await provider.readResource('a', 'private.md'), rejected }));`;
    onTestFinished(() => chmod(folder.at('skills/closed'), 0o755));
    const output = execFileSync(process.execPath, ['--conditions=@repertoire/source', '--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({
      names: ['a', 'b'],
      complete: false,
      diagnostics: [
        ['folder-unreadable', 'warning', null, folder.at('skills/closed')],
        ['skill-unreadable', 'error', 'private', folder.at('skills/private/SKILL.md')],
      ],
      resource: null,
      rejected: 'source-unavailable',
    });
  });
});

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
    });
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
    const sums = execFileSync('sha256sum', Object.keys(files), { cwd: folder.at('odd'), encoding: 'utf8' }).trim().split('\n');
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
  it('are served unless the host refuses them, and what is refused is told', async () => {
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
    const { folder } = await library();
    const file = folder.at('skills/a/references/guide.md');
    const { prototype } = (await opened(folder.at('secret.md'))).constructor as { prototype: { stat: (...all: unknown[]) => Promise<unknown> } };
    const original = prototype.stat;
    // The handle is open, and its path leads to another file by the time that it is looked at.
    const stat = vi.spyOn(prototype, 'stat').mockImplementation(async function stat(this: unknown, ...all: unknown[]) {
      const stats = await original.apply(this, all);
      await rename(folder.at('secret.md'), file);
      return stats;
    });
    onTestFinished(() => stat.mockRestore());
    expect(await openRegularFile(file, 'allow')).toBeNull();
    expect(stat).toHaveBeenCalledTimes(1);
  });

  it('a file that shrinks between opening and reading has the size of what was read', async () => {
    const { folder, provider } = await library();
    await folder.write({ 'skills/a/long.md': 'x'.repeat(1_000) });
    await provider.listSkills();
    const { prototype } = (await opened(folder.at('secret.md'))).constructor as { prototype: { read: (...all: unknown[]) => Promise<unknown> } };
    const original = prototype.read;
    const read = vi.spyOn(prototype, 'read').mockImplementation(async function read(this: unknown, ...all: unknown[]) {
      truncateSync(folder.at('skills/a/long.md'), 10);
      return await original.apply(this, all);
    });
    onTestFinished(() => read.mockRestore());
    expect(await provider.readResource('a', 'long.md')).toMatchObject({ size: 10, bytes: new TextEncoder().encode('x'.repeat(10)) });
  });

  it('CON-2: maxBytes beyond 2 GiB, which is more than one call of the system reads', async () => {
    const { folder, provider } = await library();
    const [size, huge] = [2 ** 31 + 10, folder.at('skills/a/huge.bin')];
    await writeFile(huge, '');
    truncateSync(huge, size);
    const { prototype } = (await opened(huge)).constructor as { prototype: { read: (...all: unknown[]) => Promise<unknown> } };
    const lengths: number[] = [];
    // Without the contents: the file is a hole, and so is the memory as long as nothing is written there.
    const read = vi.spyOn(prototype, 'read').mockImplementation(async (_bytes: unknown, _offset: unknown, length: unknown) => {
      lengths.push(length as number);
      return { bytesRead: length };
    });
    onTestFinished(() => read.mockRestore());
    expect((await provider.readResource('a', 'huge.bin', { maxBytes: 3 * 2 ** 30 }))?.bytes.length).toBe(size);
    expect(Math.max(...lengths)).toBeLessThan(2 ** 31);
  });

  async function opened(path: string): Promise<FileHandle> {
    const handle = await open(path);
    onTestFinished(() => handle.close());
    return handle;
  }
});

describe('what a skill gives', () => {
  it('SRC-1: the body is read afresh each time, edits are seen at once', async () => {
    const { folder } = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: Infinity });
    expect((await provider.getSkill('a'))?.body).toBe('Instructions of a.');
    await writeFile(folder.at('skills/a/SKILL.md'), skillMd('a', 'license: MIT', 'Other instructions.'));
    await folder.write({ 'skills/a/new.md': 'New' });
    expect(await provider.getSkill('a')).toMatchObject({ body: 'Other instructions.', license: 'MIT' });
    expect((await provider.getSkill('a'))?.resources.map((resource) => resource.path)).toContain('new.md');
    expect(text(await provider.readResource('a', 'new.md'))).toBe('New');
    // What a get has noticed, a list knows.
    expect((await provider.listSkills()).skills[0]).toMatchObject({ name: 'a', license: 'MIT' });
  });

  it('SRC-1: a skill that was renamed, broken or removed since it was listed is null, and its new name is found', async () => {
    const { folder } = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: Infinity });
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['a', 'b']);
    await writeFile(folder.at('skills/a/SKILL.md'), skillMd('renamed'));
    expect(await provider.getSkill('a')).toBeNull();
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toEqual(['b', 'renamed']);
    await writeFile(folder.at('skills/b/SKILL.md'), 'No frontmatter any more');
    expect(await provider.getSkill('b')).toBeNull();
    await folder.remove('skills/a');
    expect(await provider.getSkill('renamed')).toBeNull();
    expect((await provider.listSkills()).skills).toEqual([]);
  });
});
