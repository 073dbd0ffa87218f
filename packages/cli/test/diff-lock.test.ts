import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

describe('AUT-1: repertoire diff', () => {
  it('AUT-1: tells permissions first, then fields, files and text', async () => {
    const folder = await temporaryFolder({
      'old/a/SKILL.md': skillMd('a', 'allowed-tools: Read', 'One.\n\nTwo.'),
      'old/a/references/gone.md': 'Gone.',
      'old/a/data.bin': new Uint8Array([0, 1, 2]),
      'old/same/SKILL.md': skillMd('same'),
      'old/removed/SKILL.md': skillMd('removed'),
      'new/a/SKILL.md': skillMd('a', 'allowed-tools: Read Bash(rm:*)\nmodel: large', 'One.\n\nThree.'),
      'new/a/references/more.md': 'More.',
      'new/a/data.bin': new Uint8Array([0, 1, 3]),
      'new/same/SKILL.md': skillMd('same'),
      'new/added/SKILL.md': skillMd('added', 'allowed-tools: Write'),
    });
    const { code, stdout } = await runCli(folder.path, ['diff', 'old', 'new']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\+ added\n {2}permissions\n {4}allowedTools: \(none\) -> \["Write"\]/);
    expect(stdout).toMatch(/- removed\n/);
    expect(stdout).toMatch(
      /~ a\n {2}permissions\n {4}allowedTools: \["Read"\] -> \["Read","Bash\(rm:\*\)"\]\n {4}model: \(none\) -> "large"\n/,
    );
    expect(stdout).toMatch(/~ SKILL\.md\n[\s\S]*- references\/gone\.md\n/);
    expect(stdout).toMatch(/--- a\/SKILL\.md\n\+\+\+ b\/SKILL\.md\n[\s\S]*-Two\.\n\+Three\./);
    expect(stdout).not.toMatch(/^[~+-] same/m);
    const data = JSON.parse((await runCli(folder.path, ['diff', 'old', 'new', '--skill', 'a', '--json'])).stdout) as {
      skills: { files: object[] }[];
    };
    expect(data).toMatchObject({ ok: false, same: false, skills: [{ name: 'a', change: 'changed' }] });
    expect(data.skills[0]?.files).toContainEqual({ path: 'data.bin', change: 'changed', patch: null });
    for (const [path, change, files] of [
      ['references/more.md', 'added', '--- /dev/null\n+++ b/references/more.md\n'],
      ['references/gone.md', 'removed', '--- a/references/gone.md\n+++ /dev/null\n'],
    ])
      expect(data.skills[0]?.files).toContainEqual({ path, change, patch: expect.stringContaining(files ?? '') });
    const names = (await runCli(folder.path, ['diff', 'old', 'new', '--stat'])).stdout;
    expect(names).toContain('~ data.bin');
    expect(names).not.toContain('+Three.');
    expect(await runCli(folder.path, ['diff', 'old', 'old'])).toMatchObject({ code: 0, stdout: 'There is no difference.\n' });
  });

  it('AUT-1: a skill that cannot be read is told, and not only shown as removed', async () => {
    const folder = await temporaryFolder({ 'old/a/SKILL.md': skillMd('a'), 'new/a/SKILL.md': '---\nname: a\n---\n' });
    const { code, stderr, stdout } = await runCli(folder.path, ['diff', 'old', 'new']);
    expect(code).toBe(1);
    expect(stdout).toContain('- a');
    expect(stderr).toMatch(/error description-missing/);
  });
});

describe('AUT-1: repertoire lock', () => {
  it('AUT-1: pins skills, finds what changed, and freezes', async () => {
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'skills/a/x.md': 'X' });
    const lock = (...argv: string[]) => runCli(folder.path, ['lock', ...argv]);
    expect(await lock('verify', 'skills')).toMatchObject({ code: 2, stderr: expect.stringContaining('no lock file skills.lock.json') });
    expect(await lock('write', 'skills', '--frozen')).toMatchObject({ code: 1, stdout: expect.stringContaining('out of date') });
    expect(await folder.list()).toEqual(['skills/a/SKILL.md', 'skills/a/x.md']);
    expect(await lock('write', 'skills')).toMatchObject({ code: 0, stdout: 'Wrote skills.lock.json: 1 skill.\n' });
    const written = await readFile(folder.at('skills.lock.json'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({ lockVersion: 1, skills: [{ name: 'a', files: { 'x.md': expect.any(String) } }] });
    expect(await lock('write', 'skills')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Left as it was/) });
    expect(await lock('write', 'skills', '--frozen')).toMatchObject({ code: 0 });
    expect(await lock('verify', 'skills')).toMatchObject({ code: 0, stdout: 'The skills are those of skills.lock.json: 1 skill.\n' });

    await folder.write({ 'skills/a/x.md': 'Y', 'skills/b/SKILL.md': skillMd('b') });
    const changed = await lock('verify', 'skills');
    expect(changed.code).toBe(1);
    expect(changed.stdout).toMatch(/\+ b \(skills\)\n~ a: .*x\.md/);
    expect(JSON.parse((await lock('verify', 'skills', '--json')).stdout)).toMatchObject({
      ok: false,
      same: false,
      diff: { added: [{ name: 'b' }] },
    });
    expect(await lock('write', 'skills', '--frozen')).toMatchObject({ code: 1 });
    expect(await readFile(folder.at('skills.lock.json'), 'utf8')).toBe(written);
    expect(await lock('write', 'skills')).toMatchObject({ code: 0 });
    expect(await lock('verify', 'skills')).toMatchObject({ code: 0 });
    await folder.write({ 'skills.lock.json': '{"lockVersion":1,"skills":[{}]}' });
    expect(await lock('verify', 'skills')).toMatchObject({ code: 2, stderr: expect.stringContaining('skills[0]') });
    expect(await lock('write', 'skills')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is replaced, since it cannot be read'),
    });
    expect(await lock('verify', 'skills', '--frozen')).toMatchObject({ code: 2 });
    expect(await lock('frob', 'skills')).toMatchObject({ code: 2 });
  });
});
