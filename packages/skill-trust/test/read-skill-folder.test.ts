import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSkillFolder } from '../src/node.ts';
import { bytes, publisher, skillFiles, verdict } from './support/signed-skills.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skill-trust-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function write(path: string, content: Uint8Array | string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), content);
}

describe('GOV-12: the files of a folder', () => {
  it('are read with hidden and empty ones, as they are', async () => {
    await write('SKILL.md', 'a');
    await write('evals/.hidden/x.bin', new Uint8Array([0, 255]));
    await write('über.md', '');
    await write('.git/config', 'not read');
    expect(await readSkillFolder(folder)).toEqual(
      new Map([
        ['SKILL.md', bytes('a')],
        ['evals/.hidden/x.bin', new Uint8Array([0, 255])],
        ['über.md', new Uint8Array()],
      ]),
    );
  });

  it('links and other things are told apart, and neither followed nor opened', async () => {
    await write('SKILL.md', 'a');
    await symlink('SKILL.md', join(folder, 'link.md'));
    await symlink('/', join(folder, 'root'));
    await symlink('nowhere', join(folder, 'dangling'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const files = await readSkillFolder(folder);
    expect([...files].filter(([, content]) => content === null).map(([path]) => path)).toEqual(['dangling', 'link.md', 'pipe', 'root']);
    const own = await publisher();
    const signed = await own.sign(skillFiles());
    expect(await verdict(own.verifier(), new Map(signed).set('references/policy.md', null))).toBe('file-irregular references/policy.md');
  });

  it('limits and missing folders are told', async () => {
    await write('a/b/c.md', 'abc');
    await write('SKILL.md', 'abc');
    expect((await readSkillFolder(folder, { maxFiles: 2, maxBytes: 6, maxDepth: 3 })).size).toBe(2);
    await expect(readSkillFolder(folder, { maxFiles: 1 })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(readSkillFolder(folder, { maxBytes: 5 })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(readSkillFolder(folder, { maxDepth: 2 })).rejects.toMatchObject({ code: 'limit-exceeded' });
    await expect(readSkillFolder(join(folder, 'none'))).rejects.toMatchObject({ code: 'source-unavailable' });
  });

  it.skipIf(process.platform !== 'linux')('names that are not Unicode are refused', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x61, 0xff])]), 'x');
    await expect(readSkillFolder(folder)).rejects.toMatchObject({ code: 'invalid-path' });
  });
});
