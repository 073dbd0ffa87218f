import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import fs, { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { openFile } from './open-file.ts';
import { resolveInside } from '../src/inside.ts';
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
    expect(await openFile(folder.at('skills/piped/SKILL.md'))).toBeNull();
    expect(await openFile('/dev/zero')).toBeNull();
    expect(await openFile(folder.at('skills'))).toBeNull();
  });

  it('SRC-2: a file that is swapped for a link between check and opening is not read', async () => {
    const { folder } = await library();
    const skill = folder.at('skills/a');
    const checked = resolveInside(skill, 'references/guide.md');
    expect(checked).toEqual({ real: folder.at('skills/a/references/guide.md'), relative: 'references/guide.md' });
    await unlink(folder.at('skills/a/references/guide.md'));
    await symlink(folder.at('secret.md'), folder.at('skills/a/references/guide.md'));
    expect(await openFile(checked?.real ?? '')).toBeNull();
  });

  it('SRC-2: nor is one whose folder is swapped for a link', async () => {
    const { folder } = await library();
    const checked = resolveInside(folder.at('skills/a'), 'references/guide.md');
    await folder.write({ 'outside/guide.md': 'Outside' });
    await rename(folder.at('skills/a/references'), folder.at('skills/a/was-references'));
    await symlink(folder.at('outside'), folder.at('skills/a/references'));
    expect(await openFile(checked?.real ?? '')).toBeNull();
  });

  // Other systems do not tell where an open file lies.
  it.runIf(process.platform === 'linux')('SRC-2: nor is one whose folder is swapped for a link and back at each look', async () => {
    const { folder } = await library();
    await folder.write({ 'outside/guide.md': 'Outside' });
    const [inside, aside] = [folder.at('skills/a/references'), folder.at('skills/a/aside')];
    let isOut = false;
    const swap = (out: boolean): void => {
      if (out && !isOut) {
        renameSync(inside, aside);
        symlinkSync(folder.at('outside'), inside);
      } else if (!out && isOut) {
        unlinkSync(inside);
        renameSync(aside, inside);
      }
      isOut = out;
    };
    // Whoever opens sees the file outside, and so does who looks at it; whoever asks for its path sees the one inside.
    const seeing = (of: object, method: string, out: boolean): void => {
      const original = (of as Record<string, (...all: unknown[]) => unknown>)[method] as (...all: unknown[]) => unknown;
      const spy = vi.spyOn(of as Record<string, () => unknown>, method).mockImplementation((...all: unknown[]) => {
        swap(out);
        return original(...all);
      });
      onTestFinished(() => spy.mockRestore());
    };
    seeing(fs, 'openSync', true);
    seeing(fs.realpathSync, 'native', false);
    seeing(fs, 'lstatSync', true);
    expect(await openFile(path.join(inside, 'guide.md'))).toBeNull();
    expect(isOut).toBe(true);
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
