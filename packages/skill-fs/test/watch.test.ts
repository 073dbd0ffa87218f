import fs from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fileSystemSkillProvider, type FileSystemSkillProvider, type FileSystemWatchOptions } from '../src/index.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

/** Waits until what is listed is as wanted, looking only when told to. */
async function toldUntil(
  provider: FileSystemSkillProvider,
  wanted: (lines: string[]) => boolean,
  change: () => Promise<void>,
): Promise<number> {
  let told = 0;
  let wake = Promise.withResolvers<void>();
  const stop = provider.watch(() => {
    told += 1;
    wake.resolve();
  });
  onTestFinished(stop);
  await change();
  for (;;) {
    await wake.promise;
    wake = Promise.withResolvers();
    const skills = await Promise.all((await provider.listSkills()).skills.map(({ name }) => provider.getSkill(name)));
    if (
      wanted(
        skills.flatMap((skill) => [
          `${skill?.name}: ${skill?.body}`,
          ...(skill?.resources.map(({ path }) => `${skill.name}/${path}`) ?? []),
        ]),
      )
    ) {
      stop();
      return told;
    }
  }
}

async function watched(watch: FileSystemWatchOptions) {
  const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a') });
  // Without the notice, nothing would ever be looked at again.
  const provider = fileSystemSkillProvider({ roots: [folder.at('skills')], staleAfterMs: Infinity, watch });
  onTestFinished(() => provider[Symbol.asyncDispose]());
  return { folder, provider };
}

/** Does something each time right before a folder is watched. */
function beforeWatching(folder: string, work: () => void): void {
  const watch = fs.watch;
  const spy = vi.spyOn(fs, 'watch').mockImplementation(((path: string, ...more: []) => {
    if (path === folder) work();
    return watch(path, ...more);
  }) as typeof watch);
  onTestFinished(() => spy.mockRestore());
}

describe.each([
  ['auto', { mode: 'auto', debounceMs: 20, pollMs: 100_000 }],
  ['poll', { mode: 'poll', debounceMs: 5, pollMs: 10 }],
] satisfies [string, FileSystemWatchOptions][])('CON-3, SRC-1: watching, %s', (_mode, options) => {
  it.each(['listed before', 'never listed'])('tells of skills that come, change, move and go (%s)', async (when) => {
    const { folder, provider } = await watched(options);
    if (when === 'listed before') await provider.listSkills();
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Instructions of b.'),
      () => folder.write({ 'skills/team/deep/b/SKILL.md': skillMd('b') }),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Edited.'),
      () => writeFile(folder.at('skills/team/deep/b/SKILL.md'), skillMd('b', '', 'Edited.')),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('b/references/x.md'),
      () => folder.write({ 'skills/team/deep/b/references/x.md': 'X' }),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('c: Instructions of c.'),
      async () => {
        await folder.write({ 'elsewhere/c/SKILL.md': skillMd('c') });
        await rename(folder.at('elsewhere/c'), folder.at('skills/c'));
      },
    );
    await toldUntil(
      provider,
      (lines) => lines.length === 2,
      () => folder.remove('skills/team'),
    );
    // A folder that comes back under its old name, perhaps with its old inode.
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Back.'),
      () => folder.write({ 'skills/team/deep/b/SKILL.md': skillMd('b', '', 'Back.') }),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Again.'),
      () => writeFile(folder.at('skills/team/deep/b/SKILL.md'), skillMd('b', '', 'Again.')),
    );
  });

  it('tells of a change right after the first call, though nothing was listed before', async () => {
    const { folder, provider } = await watched(options);
    await toldUntil(
      provider,
      (lines) => lines.includes('a: Edited.'),
      () => writeFile(folder.at('skills/a/SKILL.md'), skillMd('a', '', 'Edited.')),
    );
  });

  it.each(['references', 'examples'])('tells of a file in %s that came after the listing, and before the first call', async (name) => {
    const { folder, provider } = await watched(options);
    await folder.write({ [`skills/a/${name}/there.md`]: 'There' });
    // Older than the listing, also by the clock of a file system that lags.
    const written = Date.now();
    await vi.waitUntil(() => Date.now() > written + 40, { interval: 5 });
    await provider.listSkills();
    await folder.write({ [`skills/a/${name}/x.md`]: 'X' });
    await toldUntil(
      provider,
      (lines) => lines.includes(`a/${name}/x.md`),
      () => Promise.resolve(),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes(`a/${name}/deep/y.md`),
      () => folder.write({ [`skills/a/${name}/deep/y.md`]: 'Y' }),
    );
    await toldUntil(
      provider,
      (lines) => !lines.includes(`a/${name}/deep/y.md`),
      () => folder.remove(`skills/a/${name}/deep`),
    );
  });

  it('tells a burst once, or nearly so', async () => {
    const { folder, provider } = await watched({ ...options, debounceMs: 100 });
    await provider.listSkills();
    const told = await toldUntil(
      provider,
      (lines) => lines.length === 41,
      () =>
        folder.write(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`skills/s-${index}/SKILL.md`, skillMd(`s-${index}`)]))),
    );
    expect(told).toBeLessThan(20);
  });

  it('tells everyone who still watches', async () => {
    const { folder, provider } = await watched(options);
    await provider.listSkills();
    let ended = 0;
    const stop = provider.watch(() => (ended += 1));
    stop();
    stop();
    let other = 0;
    onTestFinished(provider.watch(() => (other += 1)));
    await toldUntil(
      provider,
      (lines) => lines.length === 2,
      () => folder.write({ 'skills/b/SKILL.md': skillMd('b') }),
    );
    expect(ended).toBe(0);
    expect(other).toBeGreaterThan(0);
  });
});

describe('CON-3, SRC-1: watching, while the watchers are set up', () => {
  it('tells of what changed after the look, and before the root was watched', async () => {
    const { folder, provider } = await watched({ mode: 'auto', debounceMs: 5, pollMs: 100_000 });
    await folder.write({ 'skills/SKILL.md': skillMd('edit-0') });
    await provider.listSkills();
    let edits = 0;
    beforeWatching(folder.at('skills'), () => {
      edits += 1;
      fs.writeFileSync(folder.at('skills/SKILL.md'), skillMd(`edit-${edits}`));
    });
    // All the while, so that the watchers of the first call are those of the second.
    onTestFinished(provider.watch(() => undefined));
    const hasLastEdit = (lines: string[]): boolean => lines.includes(`edit-${edits}: Instructions of edit-${edits}.`);
    await toldUntil(
      provider,
      (lines) => edits > 0 && hasLastEdit(lines),
      () => Promise.resolve(),
    );
    // A watcher that may be of a folder that was replaced is made anew.
    await toldUntil(
      provider,
      (lines) => edits > 1 && hasLastEdit(lines) && !lines.includes('a: Instructions of a.'),
      () => folder.remove('skills/a'),
    );
  });
});

describe('CON-3, SRC-1: watching a provider that is being read', () => {
  it('begins when nobody waits for an answer any more', async () => {
    const { folder, provider } = await watched({ mode: 'auto', debounceMs: 100_000 });
    await folder.write({ 'skills/a/references/x.md': 'X' });
    const watch = vi.spyOn(fs, 'watch');
    const read = vi.spyOn(fs, 'readdirSync');
    onTestFinished(() => [watch, read].forEach((spy) => spy.mockRestore()));
    onTestFinished(provider.watch(() => undefined));
    await provider.listSkills();
    expect(read.mock.calls.map(([path]) => path)).not.toContain(folder.at('skills/a/references'));
    expect((await provider.getSkill('a'))?.resources).toMatchObject([{ path: 'references/x.md' }]);
    expect(watch).not.toHaveBeenCalled();
  });

  it('begins with a few folders at a time, so that others have their turn', async (context) => {
    context.skip(process.platform !== 'linux', 'elsewhere, one watcher sees all folders');
    const folder = await temporaryFolder(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`s-${index}/SKILL.md`, skillMd(`s-${index}`)])),
    );
    const provider = fileSystemSkillProvider({ roots: [folder.path], watch: { mode: 'auto', debounceMs: 20, pollMs: 100_000 } });
    onTestFinished(() => provider[Symbol.asyncDispose]());
    // Each look at the clock is a millisecond later: a slice ends after a few folders, however quick the computer is.
    let time = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1));
    onTestFinished(() => clock.mockRestore());
    let [inTurn, longest, left] = [0, 0, 101];
    const begun = Promise.withResolvers<void>();
    const original = fs.watch as (...all: unknown[]) => unknown;
    const watch = vi.spyOn(fs, 'watch').mockImplementation(((...all: unknown[]) => {
      inTurn += 1;
      longest = Math.max(longest, inTurn);
      left -= 1;
      if (left === 0) begun.resolve();
      return original(...all);
    }) as never);
    onTestFinished(() => watch.mockRestore());
    let ended = false;
    onTestFinished(() => void (ended = true));
    const take = (): void => {
      inTurn = 0;
      if (!ended) setImmediate(take);
    };
    setImmediate(take);
    onTestFinished(provider.watch(() => undefined));
    await begun.promise;
    expect(longest).toBeLessThan(20);
  });

  it('tells of a file that changes in place after it was read, and before it was watched', async () => {
    const { folder, provider } = await watched({ mode: 'auto', debounceMs: 20, pollMs: 100_000 });
    await folder.write({ 'skills/a/references/x.md': 'X' });
    const file = folder.at('skills/a/references/x.md');
    // Older than the watching, also by the clock of a file system that lags.
    const written = Date.now();
    await vi.waitUntil(() => Date.now() > written + 40, { interval: 5 });
    beforeWatching(folder.at('skills/a/references'), () => {
      fs.writeFileSync(file, 'Y');
      fs.utimesSync(file, 1_800_000_000, 1_800_000_000);
    });
    const told = Promise.withResolvers<void>();
    onTestFinished(provider.watch(() => told.resolve()));
    const before = await provider.getSkill('a');
    await told.promise;
    expect(before?.resources[0]?.digest).not.toBe((await provider.getSkill('a'))?.resources[0]?.digest);
  });
});

describe('CON-3, SRC-1: watching what the system does not tell of', () => {
  it('polls where no more folders can be watched, and says so', async () => {
    const { folder, provider } = await watched({ mode: 'auto', debounceMs: 5, pollMs: 20 });
    await folder.write({ 'skills/b/SKILL.md': skillMd('b') });
    beforeWatching(folder.at('skills/b'), () => {
      throw Object.assign(new Error('ENOSPC: too many watchers'), { code: 'ENOSPC' });
    });
    await toldUntil(
      provider,
      (lines) => lines.includes('b/more.md'),
      () => folder.write({ 'skills/b/more.md': 'More' }),
    );
    const { diagnostics } = await provider.listSkills();
    expect(diagnostics).toMatchObject([{ code: 'watch-degraded', message: expect.stringContaining('ENOSPC') as string }]);
  });

  it('tells when a root is a link that leads elsewhere now, as after a deployment', async () => {
    const folder = await temporaryFolder({ 'one/a/SKILL.md': skillMd('a'), 'two/b/SKILL.md': skillMd('b') });
    await folder.link('one', 'current');
    const provider = fileSystemSkillProvider({
      roots: [folder.at('current')],
      staleAfterMs: Infinity,
      watch: { debounceMs: 5, pollMs: 20 },
    });
    onTestFinished(() => provider[Symbol.asyncDispose]());
    const stop = provider.watch(() => undefined);
    onTestFinished(stop);
    await toldUntil(
      provider,
      (lines) => lines.includes('c: Instructions of c.'),
      () => folder.write({ 'one/c/SKILL.md': skillMd('c') }),
    );
    // No look for what was written is under way any more.
    const told = Date.now();
    await vi.waitUntil(() => Date.now() > told + 100, { interval: 5 });
    await toldUntil(
      provider,
      (lines) => lines.length === 1 && lines.includes('b: Instructions of b.'),
      async () => {
        await folder.link('two', 'next');
        await rename(folder.at('next'), folder.at('current'));
      },
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('d: Instructions of d.'),
      () => folder.write({ 'two/d/SKILL.md': skillMd('d') }),
    );
  });
});

describe('CON-3, SRC-1: watching roots that are not there', () => {
  it('tells when a root appears, goes, and appears again', async () => {
    const folder = await temporaryFolder();
    const provider = fileSystemSkillProvider({ roots: [folder.at('later')], staleAfterMs: Infinity, watch: { debounceMs: 5, pollMs: 20 } });
    onTestFinished(() => provider[Symbol.asyncDispose]());
    expect((await provider.listSkills()).skills).toEqual([]);
    await toldUntil(
      provider,
      (lines) => lines.includes('a: Instructions of a.'),
      () => folder.write({ 'later/a/SKILL.md': skillMd('a') }),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('a: Edited.'),
      () => writeFile(folder.at('later/a/SKILL.md'), skillMd('a', '', 'Edited.')),
    );
    await toldUntil(
      provider,
      (lines) => lines.length === 0,
      () => folder.remove('later'),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Instructions of b.'),
      () => folder.write({ 'later/b/SKILL.md': skillMd('b') }),
    );
    await toldUntil(
      provider,
      (lines) => lines.includes('b: Edited.'),
      () => writeFile(folder.at('later/b/SKILL.md'), skillMd('b', '', 'Edited.')),
    );
  });

  it('tells nothing after disposal', async () => {
    const { folder, provider } = await watched({ debounceMs: 5 });
    await provider.listSkills();
    let told = 0;
    provider.watch(() => (told += 1));
    await provider[Symbol.asyncDispose]();
    const other = fileSystemSkillProvider({ roots: [folder.at('skills')], watch: { debounceMs: 20 } });
    onTestFinished(() => other[Symbol.asyncDispose]());
    await other.listSkills();
    await toldUntil(
      other,
      (lines) => lines.length === 2,
      () => folder.write({ 'skills/b/SKILL.md': skillMd('b') }),
    );
    expect(told).toBe(0);
  });
});
