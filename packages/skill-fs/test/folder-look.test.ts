import fs from 'node:fs';
import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderFiles } from '../src/internal.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const main = 'skills/pay/SKILL.md';

function look(folder: TemporaryFolder) {
  const { files, end } = folderFiles(folder.at('plugin')).files.beginLook!();
  const textOf = async (file: string) => {
    const read = await files.read(file);
    return read === null || read === 'outside' ? read : new TextDecoder().decode(read.bytes);
  };
  const see = async () => {
    for (const inner of ['', 'skills', 'skills/pay']) await files.list(inner);
  };
  return { files, end, textOf, see };
}

const plugin = async () =>
  await temporaryFolder({ 'plugin/plugin.json': '{}', [`plugin/${main}`]: skillMd('pay'), 'outside/pay/SKILL.md': 'Secret.' });

describe('PLG-1: one look at a folder', () => {
  it('gives the start of a file with the size of all of it', async () => {
    const { files } = folderFiles((await temporaryFolder({ 'long.txt': '0123456789' })).path);
    expect(await files.read('long.txt', { maxBytes: 4 })).toEqual({ bytes: new TextEncoder().encode('0123'), size: 10 });
  });

  it('answers what calls by themselves answer', async () => {
    const folder = await plugin();
    await folder.write({ 'plugin/café/naïve.md': 'É', 'plugin/.hidden/x': 'x' });
    await folder.link('../outside', 'plugin/out');
    await folder.link('skills', 'plugin/in');
    const { files } = folderFiles(folder.at('plugin'));
    const shapes = async ({ list, read }: Pick<typeof files, 'list' | 'read'>) => {
      const answers: unknown[] = [];
      for (const inner of [
        '',
        'skills',
        'skills/pay',
        'in',
        'in/pay',
        'out',
        'café',
        '.hidden',
        'gone',
        'plugin.json',
        '../outside',
        'a//b',
        '/',
      ]) {
        const listed = await list(inner);
        answers.push(
          Array.isArray(listed) ? listed.map(({ name, kind, size }) => `${name} ${kind} ${size}`).sort() : listed,
          await read(inner, { maxBytes: 3 }),
          await read(`${inner}/SKILL.md`),
        );
      }
      return answers;
    };
    const begun = files.beginLook!();
    expect(await shapes(begun.files)).toEqual(await shapes(files));
    for (const out of [begun.files.folder('out'), files.folder('out')])
      expect([await out.list(''), await out.read('pay/SKILL.md')]).toEqual(['outside', 'outside']);
    const [quick, plain] = [begun.files.folder('skills'), files.folder('skills')];
    expect([await shapes(quick), quick.uri]).toEqual([await shapes(plain), plain.uri]);
    begun.end();
    expect(await shapes(begun.files)).toEqual(await shapes(files));
    expect(await shapes(quick)).toEqual(await shapes(plain));
  });

  it('has nothing to list or read in a folder that is outside or gone', async () => {
    const folder = await plugin();
    await folder.link('../outside', 'plugin/out');
    const { files } = folderFiles(folder.at('plugin'));
    for (const [inner, answer] of [
      ['out', 'outside'],
      ['gone', null],
    ] as const) {
      const below = files.folder(inner);
      const answers = [await below.list(''), await below.list('pay'), await below.read('pay/SKILL.md'), await below.folder('pay').list('')];
      expect(answers, inner).toEqual([answer, answer, answer, answer]);
    }
  });

  it('reads nothing outside, whatever is swapped for a link after it was seen', async () => {
    const swaps: Readonly<Record<string, string>> = {
      skills: '../outside',
      'skills/pay': '../../outside/pay',
      [main]: '../../../outside/pay/SKILL.md',
    };
    for (const [swapped, target] of Object.entries(swaps)) {
      for (const isSeen of [true, false]) {
        const folder = await plugin();
        const { files, textOf, see } = look(folder);
        await (isSeen ? see() : files.list(''));
        if (!isSeen) await files.list('skills');
        await rename(folder.at('plugin', swapped), folder.at('aside'));
        await symlink(target, folder.at('plugin', swapped));
        expect(await textOf(main), swapped).toBe('outside');
        if (swapped !== main) expect(await files.list('skills/pay'), swapped).toBe('outside');
      }
    }
  });

  it('sees what changed since the last look, and asks only whether something did', async () => {
    const folder = await plugin();
    const { files } = folderFiles(folder.at('plugin'));
    const names = ['lstatSync', 'readdirSync', 'openSync'] as const;
    const spies = names.map((name) => vi.spyOn(fs, name));
    const realpath = vi.spyOn(fs.realpathSync, 'native');
    vi.useFakeTimers({ toFake: ['Date'] });
    // What was written within two seconds is read again each time.
    vi.setSystemTime(Date.now() + 60_000);
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const calls = async (): Promise<{ stamps: unknown; counts: number[] }> => {
      for (const spy of [...spies, realpath]) spy.mockClear();
      const begun = files.beginLook!();
      const stamps: unknown[] = [];
      for (const inner of ['', 'skills', 'skills/pay']) stamps.push(await begun.files.list(inner));
      begun.end();
      return { stamps, counts: [...spies, realpath].map(({ mock }) => mock.calls.length) };
    };
    const first = await calls();
    const again = await calls();
    expect(again.stamps).toEqual(first.stamps);
    // Three folders, two files, and the folder on the way to the last; where the root is.
    const most = [6, 0, 0, 1];
    again.counts.forEach((count, index) => expect(count).toBeLessThanOrEqual(most[index] as number));
    await writeFile(folder.at('plugin', main), 'Now in cash.');
    expect((await calls()).stamps).not.toEqual(first.stamps);
    await rm(folder.at('plugin', path.dirname(main)), { recursive: true });
    expect(((await calls()).stamps as unknown[]).at(-1)).toBe(null);
  });
});
