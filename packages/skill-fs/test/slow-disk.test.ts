import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskPace, lookAtEach } from '../src/disk-pace.ts';
import { DiskReader, type DiskSteps } from '../src/disk-steps.ts';
import { fileSystemSkillProvider, type FileSystemSkillProviderOptions } from '../src/index.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** A library with everything that is read in a way of its own. */
async function library(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder({
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    's-1/references/guide.md': 'Guide',
    's-2/inner/SKILL.md': skillMd('inner'),
    'flow/SKILL.md': '---\nname: flow\ndescription: Needs the parser.\ntags: [a, b]\n---\n',
    'colon/SKILL.md': '---\nname: colon\ndescription: Use when: it breaks.\n---\n',
    'mark/SKILL.md': `\uFEFF${skillMd('mark')}`,
    'accent/SKILL.md': '---\nname: accent\ndescription: Zählt Silben – fünf.\n---\n',
    'bytes/SKILL.md': Uint8Array.from([
      ...new TextEncoder().encode('---\nname: bytes\ndescription: x'),
      0xff,
      0x0a,
      0x2d,
      0x2d,
      0x2d,
      0x0a,
    ]),
    'nul/SKILL.md': '---\nname: nul\ndescription: a\0b\n---\n',
    'long/SKILL.md': `---\nname: long\ndescription: Long.\nlicense: ${'x'.repeat(10_000)}\n---\n`,
    'open/SKILL.md': '---\nname: open\n',
    'bare/SKILL.md': 'No frontmatter.',
    'later/zz.md': skillMd('linked'),
  });
  await folder.link('../later/zz.md', 'linked/SKILL.md');
  await folder.link('nowhere', 'broken');
  return folder;
}

async function listed(folder: TemporaryFolder, options: Omit<FileSystemSkillProviderOptions, 'roots'> = {}) {
  return await fileSystemSkillProvider({ roots: [folder.path], ...options }).listSkills();
}

/** From now on, each call that waits for the disk takes as long as one on a disk that has to be waited for. */
function slowDown(): { readonly byThreads: () => number } {
  for (const method of ['readdirSync', 'openSync'] as const) {
    const original = fs[method] as (...all: unknown[]) => unknown;
    const spy = vi.spyOn(fs, method).mockImplementation(((...all: unknown[]) => {
      const until = performance.now() + 1.5;
      while (performance.now() < until);
      return original(...all);
    }) as never);
    onTestFinished(() => spy.mockRestore());
  }
  const [readdir, open] = [vi.spyOn(fs, 'readdir'), vi.spyOn(fs, 'open')];
  onTestFinished(() => {
    readdir.mockRestore();
    open.mockRestore();
  });
  return { byThreads: () => readdir.mock.calls.length + open.mock.calls.length };
}

describe('SRC-1: disks that answer late', () => {
  it('are waited for by a thread where much is read at once, however fast they are', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'a/large.bin': new Uint8Array(600_000) });
    const provider = fileSystemSkillProvider({ roots: [folder.path] });
    await provider.getSkill('a');
    const atOnce = vi.spyOn(fs, 'readSync');
    onTestFinished(() => atOnce.mockRestore());
    for (const maxBytes of [undefined, 300_000])
      expect((await provider.readResource('a', 'large.bin', { maxBytes }))?.bytes).toHaveLength(maxBytes ?? 600_000);
    const lengths = atOnce.mock.calls.map((given: readonly unknown[]) => Number(given[3]));
    expect(lengths.filter((length) => length > 262_144)).toEqual([]);
  });

  it.each(['lenient', 'strict'] as const)('are read by threads, and give the same: %s', async (profile) => {
    const folder = await library();
    const atOnce = await listed(folder, { profile });
    expect(atOnce.skills.length).toBeGreaterThan(40);
    const slow = slowDown();
    const late = await listed(folder, { profile });
    expect(late).toEqual(atOnce);
    // Most of the folders, and most of the files.
    expect(slow.byThreads()).toBeGreaterThan(60);
  });

  it('are told of in their order, whichever answers first', async () => {
    const pace = new DiskPace();
    const wait = (): void => {
      const until = performance.now() + 1.5;
      while (performance.now() < until);
    };
    while (!pace.isSlow) pace.call(wait);
    const answers = Array.from({ length: 4 }, () => Promise.withResolvers<string>());
    const taken: [string, number][] = [];
    const look = { now: () => undefined, later: async (item: number) => (await answers[item]?.promise) ?? '' };
    const ended = lookAtEach([0, 1, 2, 3], look, pace, 4, new AbortController().signal, (found, item) => taken.push([found, item]));
    for (const item of [3, 1, 0, 2]) {
      answers[item]?.resolve(`answer ${item}`);
      await answers[item]?.promise;
    }
    await ended;
    expect(taken).toEqual([0, 1, 2, 3].map((item) => [`answer ${item}`, item]));
  });

  it.each([
    ['a busy processor, which makes one call of ten wait, is none of them', 10, false],
    ['one of which half is in memory is one of them', 2, true],
  ])('%s', (_, oneOf, isSlow) => {
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    onTestFinished(() => clock.mockRestore());
    const pace = new DiskPace();
    for (let call = 1; call <= 2_000; call += 1) pace.call(() => (time += call % oneOf === 0 ? 3 : 0.1));
    expect(pace.isSlow).toBe(isSlow);
  });

  it('are asked by a thread first, and at once when they have answered', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const disk = new DiskReader();
    const asked: string[] = [];
    function* look(): DiskSteps<void> {
      yield { now: () => asked.push('at once'), later: (done) => done(null, asked.push('by a thread')) };
    }
    for (let time = 0; time < 3; time += 1) await disk.run(look());
    expect(asked).toEqual(['by a thread', 'at once', 'at once']);
  });

  it('are cut off at the same folder', async () => {
    const folder = await library();
    const limits = { directories: 30 };
    const atOnce = await listed(folder, { limits });
    expect(atOnce).toMatchObject({ complete: false });
    slowDown();
    expect(await listed(folder, { limits })).toEqual(atOnce);
  });

  it('a listing that goes on at once lets others have their turn (ATK-32)', async () => {
    const folder = await temporaryFolder(
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    );
    // Each look at the clock is a millisecond later: a slice ends after a few files, however quick the computer is.
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1));
    onTestFinished(() => clock.mockRestore());
    const longest = { readdirSync: 0, openSync: 0 };
    const inTurn = { readdirSync: 0, openSync: 0 };
    for (const method of ['readdirSync', 'openSync'] as const) {
      const original = fs[method] as (...all: unknown[]) => unknown;
      const spy = vi.spyOn(fs, method).mockImplementation(((...all: unknown[]) => {
        inTurn[method] += 1;
        longest[method] = Math.max(longest[method], inTurn[method]);
        return original(...all);
      }) as never);
      onTestFinished(() => spy.mockRestore());
    }
    let ended = false;
    const take = (): void => {
      Object.assign(inTurn, { readdirSync: 0, openSync: 0 });
      if (!ended) setImmediate(take);
    };
    setImmediate(take);
    const { skills } = await listed(folder);
    ended = true;
    expect(skills).toHaveLength(400);
    expect(longest.readdirSync).toBeGreaterThan(0);
    expect(longest.readdirSync).toBeLessThan(20);
    expect(longest.openSync).toBeGreaterThan(0);
    expect(longest.openSync).toBeLessThan(20);
  });

  it('reading one skill after another at once lets others have their turn', async () => {
    const folder = await temporaryFolder(
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [
          [`s-${index}/SKILL.md`, skillMd(`s-${index}`)],
          [`s-${index}/references/guide.md`, 'Guide'],
        ]).flat() as [string, string][],
      ),
    );
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 1_000_000 });
    const { skills } = await provider.listSkills();
    await provider.getSkill('s-0');
    let [inTurn, longest, atOnce, ended] = [0, 0, 0, false];
    const original = fs.openSync as (...all: unknown[]) => unknown;
    const open = vi.spyOn(fs, 'openSync').mockImplementation(((...all: unknown[]) => {
      atOnce += 1;
      inTurn += 1;
      longest = Math.max(longest, inTurn);
      return original(...all);
    }) as never);
    onTestFinished(() => open.mockRestore());
    // Each look at the clock is a quarter of a millisecond later.
    let time = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 0.25));
    onTestFinished(() => clock.mockRestore());
    const take = (): void => {
      inTurn = 0;
      if (!ended) setImmediate(take);
    };
    setImmediate(take);
    const read = await Promise.all(
      skills.map(async ({ name }) => [await provider.getSkill(name), await provider.readResource(name, 'references/guide.md')]),
    );
    ended = true;
    expect(read.flat()).not.toContain(null);
    expect(atOnce).toBe(300);
    expect(longest).toBeLessThan(20);
  });

  it('a skill is read at once behind a listing, and by threads after a time of quiet', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 1_000_000 });
    await provider.listSkills();
    const [atOnce, byThread] = [vi.spyOn(fs, 'openSync'), vi.spyOn(fs, 'open')];
    onTestFinished(() => {
      atOnce.mockRestore();
      byThread.mockRestore();
    });
    await provider.getSkill('a');
    expect([atOnce.mock.calls.length, byThread.mock.calls.length]).toEqual([1, 0]);
    const later = performance.now() + 1_500;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    await provider.getSkill('a');
    expect([atOnce.mock.calls.length, byThread.mock.calls.length]).toEqual([1, 1]);
  });

  it('a slow disk is read by threads, skill by skill', async () => {
    const folder = await library();
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 1_000_000 });
    const names = (await provider.listSkills()).skills.map(({ name }) => name);
    const all = async () => await Promise.all(names.map(async (name) => await provider.getSkill(name)));
    const quick = await all();
    const slow = slowDown();
    expect(await all()).toEqual(quick);
    const byThreads = slow.byThreads();
    expect(await all()).toEqual(quick);
    // By now the disk is known to be slow: each skill takes a folder and a file at least.
    expect(slow.byThreads() - byThreads).toBeGreaterThanOrEqual(names.length * 2);
  });
});
