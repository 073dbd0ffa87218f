import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSkillLock, lockedProvider } from '../../../../skill-trust/src/lock.ts';
import { composeProviders, selectSkills, SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, readSkillMd } from '@repertoire/skills-core/provider';
import { serializeSkillMd, skillFromFiles } from '@repertoire/skills-core/skill-md';
import { afterEach, describe, expect, it } from 'vitest';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** As people write it: a byte order mark, CRLF, a colon that YAML would refuse, a field in an odd place, no line end at the end. */
const written =
  '\uFEFF---\r\nversion: 1.10\r\nname:   odd\r\ndescription: Use when: asked.\r\nx-note: "kept"\r\n---\r\n\r\n# Odd\r\n\r\nDo it.  ';
const files: Readonly<Record<string, string | Uint8Array>> = {
  'SKILL.md': written,
  'references/a b.md': 'A\r\n',
  'assets/all.bin': Uint8Array.from({ length: 256 }, (_, index) => index),
};

function definition(): SkillDefinition {
  const { definition: parsed } = skillFromFiles(files);
  if (parsed === null) throw new Error('The fixture is no skill.');
  return parsed;
}

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** What `sha256sum` prints for each file of a folder, as `skillDigest` sums it up. */
async function digestOfFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    paths.map(async (path) => `${path.slice(folder.length + 1).replaceAll('\\', '/')}\0${sha256(await readFile(path))}\n`),
  );
  return sha256(lines.sort().join(''));
}

describe('the bytes of SKILL.md', () => {
  const code = new SkillRegistry({ skills: [definition()] });
  const wrapped: readonly (readonly [string, () => Promise<SkillProvider>])[] = [
    ['in code', async () => code],
    ['a registry', async () => new SkillRegistry({ skills: [definition()] })],
    ['a view', async () => selectSkills(code, () => true)],
    ['a composition', async () => composeProviders([code])],
    ['a lock', async () => lockedProvider(code, await createSkillLock(code))],
  ];

  it.each(wrapped)('CON-10: come as the author wrote them: %s', async (_what, provide) => {
    const provider = await provide();
    const skill = await provider.getSkill('odd');
    expect(skill?.resources.map(({ path }) => path).sort()).toEqual(['assets/all.bin', 'references/a b.md']);
    const { bytes, isOriginal } = await readSkillMd(provider, skill!);
    expect([new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isOriginal]).toEqual([written, true]);
    bytes.fill(0);
    expect((await readSkillMd(provider, skill!)).bytes).toEqual(new TextEncoder().encode(written));
    for (const path of ['skill.md', './SKILL.md', 'references/../SKILL.md']) expect(await provider.readResource('odd', path)).toBeNull();
  });

  it.each(wrapped)('CON-10 CON-9: the digest of a skill is that of its folder: %s', async (_what, provide) => {
    const folder = await mkdtemp(join(tmpdir(), 'repertoire-digest-'));
    folders.push(folder);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    const digests = await digestOfSkill(await provide(), 'odd');
    expect(digests?.digest).toBe(await digestOfFolder(folder));
    expect(digests?.files['SKILL.md']).toBe(sha256(written));
  });

  it('CON-10: one byte more in them is another skill, also where it reads the same', async () => {
    const other = skillFromFiles({ ...files, 'SKILL.md': `${written} ` }).definition!;
    const [before, after] = [await digestOfSkill(code, 'odd'), await digestOfSkill(new SkillRegistry({ skills: [other] }), 'odd')];
    expect([after?.frontmatter, after?.body]).toEqual([before?.frontmatter, before?.body]);
    expect(after?.digest).not.toBe(before?.digest);
    const locked = lockedProvider(new SkillRegistry({ skills: [other] }), await createSkillLock(code));
    await expect(locked.readResource('odd', 'SKILL.md')).rejects.toMatchObject({ code: 'digest-mismatch', path: 'SKILL.md' });
  });

  it('CON-10: a source without them answers null, and the canonical text stands in', async () => {
    const skill: SkillDefinition = { name: 'haiku', description: 'Writes haiku.', body: 'Five, seven, five.' };
    const provider = new SkillRegistry({ skills: [skill] });
    expect(await provider.readResource('haiku', 'SKILL.md')).toBeNull();
    const { bytes, isOriginal } = await readSkillMd(provider, (await provider.getSkill('haiku'))!);
    expect([new TextDecoder().decode(bytes), isOriginal]).toEqual([serializeSkillMd({ ...skill, body: 'Five, seven, five.' }), false]);
  });

  it('CON-10: are those of the version that is asked for, of the skill without one too', async () => {
    const of = (version: string) => skillFromFiles({ 'SKILL.md': `---\nname: a\ndescription: A.\n${version}---\n\nBody.\n` }).definition!;
    const provider = new SkillRegistry({ skills: [of('version: 1.0.0\n'), of('version: 2.0.0\n'), of('')] });
    const read = async (version?: string | null) =>
      new TextDecoder().decode((await provider.readResource('a', 'SKILL.md', { version }))?.bytes);
    expect(await read()).toContain('version: 2.0.0');
    expect(await read('1.0.0')).toContain('version: 1.0.0');
    expect(await read(null)).not.toContain('version');
    expect((await provider.getSkill('a', { version: null }))?.version).toBeNull();
  });

  it('CON-10: may be a function, which is called when they are asked for; the registry keeps a copy of bytes', async () => {
    let calls = 0;
    const { skillMd: _skillMd, ...rest } = definition();
    const lazy = new SkillRegistry({ skills: [{ ...rest, skillMd: () => ((calls += 1), written) }] });
    await lazy.listSkills();
    expect(calls).toBe(0);
    expect((await lazy.readResource('odd', 'SKILL.md'))?.bytes).toEqual(new TextEncoder().encode(written));
    expect(calls).toBe(1);
    const bytes = new TextEncoder().encode(written);
    const registry = new SkillRegistry({ skills: [{ ...rest, skillMd: bytes }] });
    bytes.fill(0);
    expect((await registry.readResource('odd', 'SKILL.md'))?.bytes).toEqual(new TextEncoder().encode(written));
  });
});
