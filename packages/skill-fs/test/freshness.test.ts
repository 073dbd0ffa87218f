import fs from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { fileSystemSkillProvider } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const names = ({ skills }: SkillListing): string[] => skills.map(({ name }) => name);

const head = '---\nname: a\ndescription: Does a. Use for a.\n---\n';
const repaired = '---\nname: a\ndescription: Use when: it breaks.\n---\n';

/** The paths below a folder that are opened from now on, by a thread or at once. */
function openedBelow(folder: string): string[] {
  const opened: string[] = [];
  for (const method of ['open', 'openSync'] as const) {
    const original = fs[method] as (...all: unknown[]) => unknown;
    const open = vi.spyOn(fs, method).mockImplementation(((path: string, ...rest: unknown[]) => {
      if (path.startsWith(folder)) opened.push(path.slice(folder.length + 1));
      return original(path, ...rest);
    }) as never);
    onTestFinished(() => open.mockRestore());
  }
  return opened;
}

describe('listing again', () => {
  it('SRC-1: within staleAfterMs a list is answered from memory, after it from the disk', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    let time = 0;
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 1_000, now: () => time });
    expect(names(await provider.listSkills())).toEqual(['a']);
    await folder.write({ 'b/SKILL.md': skillMd('b'), 'a/SKILL.md': skillMd('a', 'license: MIT') });
    time = 999;
    expect(names(await provider.listSkills())).toEqual(['a']);
    expect(await provider.getSkill('b')).toBeNull();
    time = 1_000;
    expect((await provider.listSkills()).skills.map(({ name, license }) => [name, license])).toEqual([
      ['a', 'MIT'],
      ['b', undefined],
    ]);
    await folder.remove('a');
    time = 1_999;
    expect(names(await provider.listSkills())).toEqual(['a', 'b']);
    time = 2_000;
    expect(names(await provider.listSkills())).toEqual(['b']);
    // A clock that was set back makes nothing young again.
    await folder.remove('b');
    time = 5;
    expect((await provider.listSkills()).skills).toEqual([]);
  });

  it('SRC-1: a change that keeps size and times, right after the list, is seen all the same', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a', 'license: AAA') });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    for (const license of ['BBB', 'CCC', 'DDD', 'EEE']) {
      const { atime, mtime } = fs.statSync(folder.at('a/SKILL.md'));
      await writeFile(folder.at('a/SKILL.md'), skillMd('a', `license: ${license}`));
      await utimes(folder.at('a/SKILL.md'), atime, mtime);
      expect((await provider.listSkills()).skills[0]?.license).toBe(license);
    }
  });

  it.each<[string, string, string | Uint8Array]>([
    ['another body', `${head}First.`, `${head}Second.\r\nThird.\n`],
    ['a field more', `${head}First.`, `${head.replace('\n---\n', '\nlicense: MIT\n---\n')}First.`],
    ['a field less', `${head.replace('\n---\n', '\nlicense: MIT\n---\n')}First.`, `${head}First.`],
    ['a last line of the frontmatter that goes on', head.trimEnd(), `${head.trimEnd()}-\nlicense: MIT\n---\nFirst.`],
    ['NUL in the body', `${head}First.`, `${head}Fi\0rst.`],
    ['bytes in the body that are no UTF-8', `${head}First.`, Uint8Array.from([...new TextEncoder().encode(head), 0xff])],
    ['what the parser repaired, and another body', repaired, `${repaired}Second.`],
    ['an unchanged file', `${head}First.`, `${head}First.`],
  ])('SRC-1: a skill that was listed is read as a new source reads it: %s', async (_what, before, after) => {
    const folder = await temporaryFolder({ 'a/SKILL.md': before });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect(names(await provider.listSkills())).toEqual(['a']);
    await folder.write({ 'a/SKILL.md': after });
    const fresh = await fileSystemSkillProvider({ roots: [folder.path] }).getSkill('a');
    expect(fresh).not.toBeNull();
    const parsed = parseSkillMd(after, { directoryName: 'a', path: folder.at('a/SKILL.md') });
    expect(fresh).toMatchObject({ ...parsed.metadata, body: parsed.body, diagnostics: parsed.diagnostics });
    expect(await provider.getSkill('a')).toEqual(fresh);
  });

  it('SRC-1: reads again only what changed', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b'), 'c/SKILL.md': skillMd('c') });
    // As if all of it had been there for long: what was changed just now is not taken for unchanged.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    await provider.listSkills();
    const opened = openedBelow(folder.path);
    await provider.listSkills();
    expect(opened).toEqual([]);
    await writeFile(folder.at('b/SKILL.md'), skillMd('b', 'license: MIT'));
    expect((await provider.listSkills()).skills[1]?.license).toBe('MIT');
    expect(opened).toEqual(['b/SKILL.md']);
    await folder.write({ 'd/SKILL.md': skillMd('d'), 'a/notes.md': 'Notes' });
    expect(names(await provider.listSkills())).toEqual(['a', 'b', 'c', 'd']);
    expect(opened).toEqual(['b/SKILL.md', 'd/SKILL.md']);
    await folder.remove('a');
    expect(names(await provider.listSkills())).toEqual(['b', 'c', 'd']);
    expect(opened).toHaveLength(2);
  });

  it('SRC-1: the first look notes nothing of folders, the second does, and then none is read that did not change', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'a/examples/x.md': 'X', 'b/SKILL.md': skillMd('b') });
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    const [readdir, stat] = [vi.spyOn(fs, 'readdirSync'), vi.spyOn(fs, 'statSync')];
    onTestFinished(() => {
      for (const spy of [now, readdir, stat]) spy.mockRestore();
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    const seen: [read: number, looked: number][] = [];
    let listing: SkillListing | undefined;
    for (let look = 0; look < 3; look += 1) {
      const [read, looked] = [readdir.mock.calls.length, stat.mock.calls.filter(([path]) => String(path) !== folder.path).length];
      const next = await provider.listSkills();
      if (look > 0) expect(next).toBe(listing);
      listing = next;
      seen.push([readdir.mock.calls.length - read, stat.mock.calls.filter(([path]) => String(path) !== folder.path).length - looked]);
    }
    // The root; below it lie three folders and two files.
    expect(seen).toEqual([
      [4, 0],
      [4, 5],
      [0, 5],
    ]);
  });

  it('SRC-1: a file that is edited in place after a skill came is read again, and alone', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    // As if all of it had been there for long, so that what was read is kept.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    await provider.listSkills();
    await folder.write({ 'c/SKILL.md': skillMd('c') });
    await provider.listSkills();
    const opened = openedBelow(folder.path);
    // No folder changes by this.
    await writeFile(folder.at('b/SKILL.md'), skillMd('b', 'license: MIT'));
    const { skills } = await provider.listSkills();
    expect(skills.map(({ name, license }) => [name, license])).toEqual([
      ['a', undefined],
      ['b', 'MIT'],
      ['c', undefined],
    ]);
    expect(opened).toEqual(['b/SKILL.md']);
  });

  it('SRC-1: listing opens nothing but SKILL.md, and reads no more than 4 KiB of a short frontmatter', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a', '', 'x'.repeat(1_000_000)),
      'a/references/x.md': 'X',
      'a/scripts/y.sh': 'Y',
    });
    const opened = openedBelow(folder.path);
    const read = vi.spyOn(fs, 'readSync');
    onTestFinished(() => read.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    expect((await provider.listSkills()).skills).toHaveLength(1);
    expect(opened).toEqual(['a/SKILL.md']);
    expect(read.mock.calls.map((call) => (call as unknown[])[3])).toEqual([4_096]);
  });

  it('SRC-1: a file that could not be read is tried again', async () => {
    const folder = await temporaryFolder({ 'b/SKILL.md': skillMd('b') });
    await folder.link('../later/one.md', 'a/SKILL.md');
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    expect(names(await provider.listSkills())).toEqual(['b']);
    await folder.write({ 'later/one.md': skillMd('a') });
    expect(names(await provider.listSkills())).toEqual(['a', 'b']);
    expect((await provider.listSkills()).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('SRC-1: many calls at once share one look at the disk', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const opened = openedBelow(folder.path);
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    const lists = await Promise.all(Array.from({ length: 20 }, () => provider.listSkills()));
    expect(lists.map(names)).toEqual(lists.map(() => ['a']));
    expect(opened).toEqual(['a/SKILL.md']);
  });

  it('SRC-1: a call shares no look that began before it and is older than staleAfterMs', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    const first = provider.listSkills();
    fs.mkdirSync(folder.at('b'));
    fs.writeFileSync(folder.at('b/SKILL.md'), skillMd('b'));
    expect(names(await provider.listSkills())).toEqual(['a', 'b']);
    await first;
  });

  it('CON-1: a listing is one deep-frozen object as long as nothing changed, also across looks at the disk', async () => {
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a', 'metadata:\n  team: one\nx-list: [1, [2]]'),
      'b/SKILL.md': skillMd('b'),
      'bad/SKILL.md': 'No frontmatter',
    });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 0 });
    const listing = await provider.listSkills();
    const [skill] = listing.skills;
    const parts = [listing, listing.skills, listing.diagnostics, listing.diagnostics[0], skill, skill?.metadata, skill?.origin];
    expect([...parts, skill?.fields?.['x-list']].map((part) => typeof part === 'object' && Object.isFrozen(part))).not.toContain(false);
    expect(await provider.listSkills()).toBe(listing);
    // Another body is no other listing.
    await writeFile(folder.at('b/SKILL.md'), skillMd('b', '', 'Another body, of another length.'));
    expect(await provider.listSkills()).toBe(listing);
    await writeFile(folder.at('b/SKILL.md'), skillMd('b', 'license: MIT'));
    const changed = await provider.listSkills();
    expect(changed).not.toBe(listing);
    expect(changed.skills[1]?.license).toBe('MIT');
    // What did not change is the same object in the new listing too.
    expect(changed.skills[0]).toBe(skill);
    await folder.write({ 'bad-too/SKILL.md': 'No frontmatter' });
    expect((await provider.listSkills()).diagnostics.length).toBeGreaterThan(changed.diagnostics.length);
  });

  it('SRC-1: a link that leads to another folder brings the files of that folder, even where SKILL.md is the same file', async () => {
    const folder = await temporaryFolder({ 'skills/.one/SKILL.md': skillMd('same'), 'skills/.one/one.md': '1', 'skills/.two/two.md': '2' });
    // One file under two names, so that nothing tells them apart but the folder.
    fs.linkSync(folder.at('skills/.one/SKILL.md'), folder.at('skills/.two/SKILL.md'));
    await folder.link('.one', 'skills/linked');
    // As if all of it had been there for long, so that signatures are trusted.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: 0 });
    expect((await provider.getSkill('same'))?.resources.map(({ path }) => path)).toEqual(['one.md']);
    await folder.remove('skills/linked');
    await folder.link('.two', 'skills/linked');
    expect((await provider.getSkill('same'))?.resources.map(({ path }) => path)).toEqual(['two.md']);
  });

  it('SRC-1: a skill in two roots has the origin of the first, also after the disk was looked at again', async () => {
    const folder = await temporaryFolder({ 'skills/team/a/SKILL.md': skillMd('a') });
    // As if all of it had been there for long, so that what was read is kept.
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 60_000);
    onTestFinished(() => now.mockRestore());
    const provider = fileSystemSkillProvider({
      roots: [
        { path: folder.at('skills'), label: 'outer', trusted: false },
        { path: folder.at('skills/team'), label: 'inner', trusted: true },
      ],
      staleAfterMs: 0,
    });
    for (const more of ['b', 'c']) {
      const { skills } = await provider.listSkills();
      expect([...new Set(skills.map(({ origin }) => `${origin?.label} ${origin?.trusted}`))]).toEqual(['outer false']);
      await folder.write({ [`skills/team/${more}/SKILL.md`]: skillMd(more) });
    }
  });
});
