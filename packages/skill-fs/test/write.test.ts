import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { skillDigest } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const filesOf = (body: string, more: Readonly<Record<string, string>> = {}): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries({ 'SKILL.md': skillMd('billing', '', body), ...more }).map(([inner, text]) => [inner, encode(text)]));

async function library() {
  const folder = await temporaryFolder({
    'skills/group/billing/SKILL.md': skillMd('billing', '', 'Old.'),
    'skills/group/billing/scripts/run.sh': '#!/bin/sh\n',
  });
  const root = folder.at('skills');
  const open = () => fileSystemSkillProvider({ roots: [root], writable: true });
  const content = async () => (await open().getSkill('billing'))?.content ?? null;
  return { folder, root, open, content };
}

describe('writing skills into folders', () => {
  it('PRP-7: only a provider that was opened for it has write', async () => {
    const { root } = await library();
    expect(fileSystemSkillProvider({ roots: [root] }).write).toBeUndefined();
  });

  it('PRP-7: a first write makes the root that is not there yet', async () => {
    const folder = await temporaryFolder();
    const provider = fileSystemSkillProvider({ roots: [folder.at('later')], writable: true });
    expect(await provider.write?.('billing', filesOf('New.'), { expected: null })).toMatchObject({ written: true });
    expect((await provider.getSkill('billing'))?.body).toBe('New.');
  });

  it('PRP-7: hidden files and the bits of scripts stay with the skill', async () => {
    const { folder, open, content, root } = await library();
    await folder.write({ 'skills/group/billing/.note': 'mine' });
    await chmod(folder.at('skills/group/billing/scripts/run.sh'), 0o755);
    const provider = open();
    const files = filesOf('New.', { 'scripts/run.sh': '#!/bin/sh\ntrue\n' });
    expect(await provider.write?.('billing', files, { expected: await content() })).toEqual({
      written: true,
      content: await skillDigest(files),
    });
    expect(await readFile(folder.at('skills/group/billing/.note'), 'utf8')).toBe('mine');
    expect((await stat(folder.at('skills/group/billing/scripts/run.sh'))).mode & 0o111).toBe(0o111);
    expect(await readdir(root)).toEqual(['group']);
  });

  it('PRP-7: of writers in two processes that expect the same, one writes, and nothing is mixed', async () => {
    const { open, content } = await library();
    const expected = await content();
    const bodies = ['A.', 'B.', 'C.', 'D.'].map((body) => filesOf(body, { 'references/of.md': body }));
    const results = await Promise.all(bodies.map(async (files) => await open().write?.('billing', files, { expected })));
    const winners = bodies.filter((_, index) => results[index]?.written === true);
    expect(winners.length).toBeLessThanOrEqual(1);
    expect([expected, ...(await Promise.all(winners.map((files) => skillDigest(files))))]).toContain(await content());
    if (winners.length === 1) expect(await content()).not.toBe(expected);
  });

  it('PRP-7: a skill that a crash took away comes back, and what was prepared is cleared away', async () => {
    const { folder, root, content } = await library();
    const before = await content();
    const work = folder.at('skills/.repertoire');
    await mkdir(work);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    await folder.write({ [`skills/.repertoire/new-${dead}-0a/SKILL.md`]: skillMd('half') });
    const { rename } = await import('node:fs/promises');
    await rename(
      folder.at('skills/group/billing'),
      path.join(work, `old-${dead}-${'0'.repeat(24)}-${encodeURIComponent('group/billing')}`),
    );
    expect((await fileSystemSkillProvider({ roots: [root], hiddenFolders: true }).listSkills()).skills).toEqual([]);
    expect(await content()).toBe(before);
    expect(await readdir(root)).toEqual(['group']);
  });

  it('PRP-7: names that differ by case are refused, and so is a folder of that name that is no skill', async () => {
    const { open, folder } = await library();
    const files = { 'SKILL.md': encode('---\nname: group\ndescription: x y z\n---\n\nx\n') };
    await expect(open().write?.('group', files, { expected: null })).rejects.toMatchObject({ code: 'duplicate-skill' });
    await folder.write({ 'skills/Notes/SKILL.md': skillMd('Notes') });
    await expect(open().write?.('notes', { 'SKILL.md': encode(skillMd('notes')) }, { expected: null })).rejects.toMatchObject({
      code: 'duplicate-skill',
    });
  });

  it('PRP-7: a root that is itself a skill is not written', async () => {
    const { folder } = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills/group/billing')], writable: true });
    const expected = (await provider.getSkill('billing'))?.content ?? null;
    await expect(provider.write?.('billing', filesOf('New.'), { expected })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('PRP-7: where the disk takes no more, the old content stays and nothing else', async () => {
    const { root, content } = await library();
    const before = await content();
    const program = `
      import { fileSystemSkillProvider } from '@repertoire/skill-fs';
      const provider = fileSystemSkillProvider({ roots: [${JSON.stringify(root)}], writable: true });
      const file = (text) => new TextEncoder().encode(text);
      const files = { 'SKILL.md': file(${JSON.stringify(skillMd('billing', '', 'New.'))}), 'references/big.md': file('x'.repeat(1_000_000)) };
      await provider.write('billing', files, { expected: ${JSON.stringify(before)} }).then(() => console.log('written'), (error) => console.log(error.code));`;
    // A limit on the size of files is what a full disk is, for one process.
    const run = spawnSync(
      'bash',
      ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, '--conditions=@repertoire/source', '--input-type=module', '-e', program],
      {
        cwd: path.join(import.meta.dirname, '..', '..', 'skill-proposals'),
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      },
    );
    expect([run.stdout.trim(), run.stderr]).toEqual(['source-unavailable', '']);
    expect(await content()).toBe(before);
    expect(await readdir(root)).toEqual(['group']);
  });
});
