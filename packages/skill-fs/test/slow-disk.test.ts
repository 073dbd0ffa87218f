import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskPace } from '../src/disk-pace.ts';
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

/** From now on, each call of this thread takes as long as one that waits for its disk, and counts as one. */
function slowDown(): { readonly callsHere: () => number } {
  let calls = 0;
  const usage = vi.spyOn(process, 'resourceUsage');
  usage.mockImplementation(() => ({ voluntaryContextSwitches: 1 + calls, involuntaryContextSwitches: 1 }) as never);
  onTestFinished(() => usage.mockRestore());
  for (const method of ['readdirSync', 'openSync'] as const) {
    const original = fs[method] as (...all: unknown[]) => unknown;
    const spy = vi.spyOn(fs, method).mockImplementation(((...all: unknown[]) => {
      calls += 1;
      const until = performance.now() + 1.5;
      while (performance.now() < until);
      return original(...all);
    }) as never);
    onTestFinished(() => spy.mockRestore());
  }
  return { callsHere: () => calls };
}

describe('SRC-1: disks that answer late', () => {
  it('are read in parts that hold up nobody, however fast they are', async () => {
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

  it.each(['lenient', 'strict'] as const)('are read by a thread of their own, and give the same: %s', async (profile) => {
    const folder = await library();
    const atOnce = await listed(folder, { profile });
    expect(atOnce.skills.length).toBeGreaterThan(40);
    const slow = slowDown();
    const late = await listed(folder, { profile });
    expect(late).toEqual(atOnce);
    // Those that were proof.
    expect(slow.callsHere()).toBeLessThan(20);
  });

  it.each([
    ['a disk of which half is in memory is one of them', { oneOf: 2, gaveUp: 1, lost: 0 }, true],
    ['a disk that makes one call of ten wait is none', { oneOf: 10, gaveUp: 1, lost: 0 }, false],
    ['a busy processor is none, however often it is taken away', { oneOf: 1, gaveUp: 0, lost: 1 }, false],
    ['nor if other threads of the process wait meanwhile', { oneOf: 1, gaveUp: 2, lost: 1 }, false],
    ['a computer that counts no switches goes by the time', { oneOf: 2, gaveUp: 0, lost: 0, atFirst: 0 }, true],
  ])('%s', (_, { oneOf, gaveUp, lost, atFirst = 10 }: { oneOf: number; gaveUp: number; lost: number; atFirst?: number }, isSlow) => {
    let [time, voluntary, involuntary] = [0, atFirst, atFirst];
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const usage = vi.spyOn(process, 'resourceUsage');
    usage.mockImplementation(() => ({ voluntaryContextSwitches: voluntary, involuntaryContextSwitches: involuntary }) as never);
    onTestFinished(() => {
      for (const spy of [clock, usage]) spy.mockRestore();
    });
    const pace = new DiskPace();
    for (let call = 1; call <= 2_000; call += 1) {
      pace.call();
      const isLong = call % oneOf === 0;
      time += isLong ? 3 : 0.1;
      if (isLong) [voluntary, involuntary] = [voluntary + gaveUp, involuntary + lost];
      pace.called();
    }
    expect(pace.isSlow).toBe(isSlow);
  });

  it('are not those whose files take long to parse', async () => {
    const count = 60;
    const folder = await temporaryFolder(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    );
    // Before each file that is read, five milliseconds have passed in which nobody waited for the disk.
    let time = 0;
    const now = Date.now();
    const date = vi.spyOn(Date, 'now').mockImplementation(() => now + (time += 5));
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
    const open = vi.spyOn(fs, 'openSync');
    onTestFinished(() => {
      for (const spy of [date, clock, open]) spy.mockRestore();
    });
    expect((await listed(folder)).skills).toHaveLength(count);
    expect(time).toBeGreaterThan(count * 5);
    expect(open).toHaveBeenCalledTimes(count);
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
      // Without the first, whose digest is known by now if the computer was slow.
      skills.slice(1).map(async ({ name }) => [await provider.getSkill(name), await provider.readResource(name, 'references/guide.md')]),
    );
    ended = true;
    expect(read.flat()).not.toContain(null);
    expect(atOnce).toBe(297);
    expect(longest).toBeLessThan(20);
  });

  it('a skill is read at once behind a listing, and behind the answer of a thread after a time of quiet', async () => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a') });
    const provider = fileSystemSkillProvider({ roots: [folder.path], staleAfterMs: 1_000_000 });
    await provider.listSkills();
    const byThread = vi.spyOn(fs, 'lstat');
    onTestFinished(() => byThread.mockRestore());
    await provider.getSkill('a');
    expect(byThread).not.toHaveBeenCalled();
    const later = performance.now() + 1_500;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    await provider.getSkill('a');
    expect(byThread).toHaveBeenCalledOnce();
  });

  it('a slow disk is read by a thread, skill by skill, and watched by it', async () => {
    const folder = await library();
    const options = { roots: [folder.path], staleAfterMs: 0, watch: { debounceMs: 5, pollMs: 20 } };
    const provider = fileSystemSkillProvider(options);
    onTestFinished(() => provider[Symbol.asyncDispose]());
    const listing = await provider.listSkills();
    const all = async () =>
      await Promise.all(
        listing.skills.map(async ({ name }) => [
          await provider.getSkill(name),
          await provider.contentOf?.(name),
          await provider.readResource(name, 'references/guide.md'),
        ]),
      );
    const quick = await all();
    const slow = slowDown();
    const changed = Promise.withResolvers<void>();
    onTestFinished(provider.watch(() => changed.resolve()));
    expect(await all()).toEqual(quick);
    const callsHere = slow.callsHere();
    expect(await all()).toEqual(quick);
    const again = await provider.listSkills();
    expect(again).toEqual(listing);
    expect(await provider.listSkills()).toBe(again);
    await expect(provider.readResource('s-1', '../secret')).resolves.toBeNull();
    const aborted = new Error('Enough.');
    await expect(provider.getSkill('s-1', { signal: AbortSignal.abort(aborted) })).rejects.toBe(aborted);
    await folder.write({ 's-new/SKILL.md': skillMd('s-new') });
    await changed.promise;
    expect((await provider.listSkills()).skills.map(({ name }) => name)).toContain('s-new');
    expect(slow.callsHere()).toBe(callsHere);
  });
});
