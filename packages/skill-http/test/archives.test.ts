import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { packTar } from 'modern-tar';
import { SkillError } from '@repertoire/skills-core';
import { isResourcePath, sha256Hex } from '@repertoire/skills-core/provider';
import { turnsDuring } from '../../skills-testkit/src/turns-during.ts';
import { describe, expect, it } from 'vitest';
import { unpackArchive } from '../src/archive/unpack-archive.ts';
import { packSkill } from '../src/server/pack-skill.ts';
import { portableCrc32 } from '../src/archive/crc32.ts';
import { storedGzip } from '../src/server/stored-gzip.ts';
import { packingPace } from '../src/server/packing-pace.ts';
import { ustarName, ustarParts } from '../src/server/ustar.ts';
import { patched, skillMdOf, tarGzOf, tarOf, zipOf, type TarLine } from './support/archives.ts';

const limits = { unpackedBytes: 1_000_000, files: 50, ratio: 200, depth: 8 };
const main: TarLine = ['SKILL.md', skillMdOf('evil')];

async function refusal(packed: Uint8Array, changed: Partial<typeof limits> = {}): Promise<string> {
  try {
    const { files } = await unpackArchive(packed, { ...limits, ...changed });
    return `unpacked ${[...files.keys()].join(', ')}`;
  } catch (error) {
    if (!SkillError.isInstance(error)) throw error;
    expect(error.message).toMatch(/^\[skill-http\] The archive /);
    return error.code;
  }
}

const hostilePaths = [
  '../evil.md',
  'references/../../evil.md',
  '/etc/passwd',
  'C:/windows/evil.md',
  'a\\..\\evil.md',
  'references/\u2025/evil.md',
  'bad\nname.md',
  `${'d/'.repeat(9)}deep.md`,
];

describe('what no skill is', () => {
  it('SRC-4: a zip64, which says elsewhere what is in it (ATK-37)', async () => {
    const plain = zipOf({ 'SKILL.md': skillMdOf('evil') });
    const end = plain.length - 22;
    const [locator, record] = [new Uint8Array(20), plain.slice(end)];
    new DataView(locator.buffer).setUint32(0, 0x07064b50, true);
    expect(await refusal(Uint8Array.from([...plain.slice(0, end), ...locator, ...record]))).toBe('unsupported');
    for (const [offset, bytes] of [
      [8, 2],
      [10, 2],
      [12, 4],
      [16, 4],
    ] as const) {
      const deferred = plain.slice();
      deferred.fill(0xff, end + offset, end + offset + bytes);
      expect(await refusal(deferred), `the field at ${offset}`).toBe('unsupported');
    }
    expect(await refusal(plain)).toBe('unpacked SKILL.md');
  });

  it.each(['--format=gnu', '--format=pax --sparse-version=0.0', '--format=pax --sparse-version=0.1', '--format=pax --sparse-version=1.0'])(
    'SRC-4: a sparse file of GNU tar (%s), whose bytes are not its contents (ATK-38)',
    async (format) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'skill-http-sparse-'));
      try {
        await writeFile(path.join(folder, 'SKILL.md'), skillMdOf('evil'));
        await writeFile(path.join(folder, 'holes.bin'), 'x');
        await truncate(path.join(folder, 'holes.bin'), 100_000);
        const file = path.join(folder, 'out.tgz');
        execFileSync('tar', ['-czf', file, '--sparse', ...format.split(' '), 'SKILL.md', 'holes.bin'], { cwd: folder });
        expect(await refusal(new Uint8Array(await readFile(file)))).toBe('invalid-skill');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('SRC-4: a link among what archivers leave behind', async () => {
    for (const name of ['__MACOSX/l', '.DS_Store', '._l'])
      expect(await refusal(await tarGzOf([main, [name, '', { type: 'symlink', linkname: '/etc/passwd', size: 0 }]])), name).toBe(
        'invalid-skill',
      );
  });

  it('SRC-4: what archivers leave behind is left out, and told; what a person may have put there is not', async () => {
    const packed = await tarGzOf([main, ['__MACOSX/._SKILL.md', 'x'], ['.DS_Store', 'x'], ['desktop.ini', 'mine'], ['Thumbs.db', 'mine']]);
    const { files, litter } = await unpackArchive(packed, limits);
    expect([...files.keys()]).toEqual(['SKILL.md', 'desktop.ini', 'Thumbs.db']);
    expect(litter).toEqual(['__MACOSX/._SKILL.md', '.DS_Store']);
  });
});

describe('what comes in a tar.gz', () => {
  it.each(hostilePaths)('SRC-4: refuses the path %j', async (name) => {
    expect(await refusal(await tarGzOf([main, [name, 'x']]))).toMatch(/^(invalid-path|limit-exceeded)$/);
  });

  it.each(['symlink', 'link', 'fifo', 'character-device', 'block-device'] as const)(
    'SRC-4: refuses a %s, with all that is beside it',
    async (type) => {
      expect(await refusal(await tarGzOf([main, ['thing', '', { type, linkname: '../../etc/passwd', size: 0 }]]))).toBe('invalid-skill');
    },
  );

  it.each([
    ['case', 'Notes.md', 'notes.md'],
    ['Unicode form', 'caf\u00e9.md', 'cafe\u0301.md'],
    ['the same path twice', 'notes.md', 'notes.md'],
    ['a file where a folder is', 'notes/a.md', 'notes'],
    ['a folder in two spellings', 'notes/a.md', 'Notes/b.md'],
    ['SKILL.md in another case', 'skill.md', 'other.md'],
  ])('SRC-4: refuses what would be one file on many disks: %s', async (_what, first, second) => {
    expect(await refusal(await tarGzOf([main, [first, 'x'], [second, 'y']]))).toBe('invalid-skill');
  });

  it('SRC-4: stops at the limit of files, of bytes, of depth', async () => {
    const many = Array.from({ length: 51 }, (_, index): TarLine => [`f${index}.md`, 'x']);
    expect(await refusal(await tarGzOf(many))).toBe('limit-exceeded');
    expect(await refusal(await tarGzOf(Array.from({ length: 60 }, (_, index): TarLine => [`d${index}/`, '', { type: 'directory' }])))).toBe(
      'limit-exceeded',
    );
    expect(await refusal(await tarGzOf([main, ['big.bin', new Uint8Array(1_000_001)]]))).toBe('limit-exceeded');
    expect(await refusal(await tarGzOf([main, ['a/b/c.md', 'x']]), { depth: 1 })).toBe('limit-exceeded');
    expect(await refusal(await tarGzOf([main, ['a/b.md', 'x']]), { depth: 1 })).toBe('unpacked SKILL.md, a/b.md');
  });

  it('SRC-4: stops what blows up, by the bytes that come out and by how many of them one brings', async () => {
    const zeros = gzipSync(new Uint8Array(64 * 1024 * 1024));
    expect(zeros.length).toBeLessThan(100_000);
    expect(await refusal(zeros)).toMatch(/^(limit-exceeded|invalid-skill)$/);
    const bomb = await tarGzOf([main, ['zeros.bin', new Uint8Array(32 * 1024 * 1024)]]);
    expect(await refusal(bomb, { unpackedBytes: 1_000_000_000 })).toBe('limit-exceeded');
    expect(await refusal(bomb, { unpackedBytes: 1_000_000_000, ratio: 2_000 })).toBe('unpacked SKILL.md, zeros.bin');
  });

  it('SRC-4: refuses what is cut off, damaged, or something else', async () => {
    const good = await tarGzOf([main, ['a.md', 'x'.repeat(5_000)]]);
    expect(await refusal(good.slice(0, good.length - 20))).toBe('invalid-skill');
    expect(await refusal(good.map((byte, index) => (index > 30 && index < 60 ? byte ^ 0xff : byte)))).toBe('invalid-skill');
    expect(await refusal(gzipSync((await tarOf([main, ['a.md', 'x'.repeat(5_000)]])).slice(0, 3_000)))).toBe('invalid-skill');
    expect(await refusal(new TextEncoder().encode('<!doctype html>'))).toBe('invalid-skill');
    expect(await refusal(new Uint8Array(0))).toBe('invalid-skill');
  });

  it('SRC-4: believes no size that a header claims (ATK-40)', async () => {
    const tar = await tarOf([main, ['a.md', 'x']]);
    const claim = (digits: string) => new TextEncoder().encode(digits);
    // The size stands 124 bytes into a header, and the checksum 148; the header of a.md is the third block.
    const lying = tar.slice();
    lying.set(claim('77777777777'), 1024 + 124);
    let sum = 8 * 32;
    for (let index = 0; index < 512; index += 1) if (index < 148 || index >= 156) sum += lying[1024 + index] ?? 0;
    lying.set(claim(`${sum.toString(8).padStart(6, '0')}\0 `), 1024 + 148);
    expect(await refusal(gzipSync(lying))).toBe('limit-exceeded');
  });

  it('SRC-4: reads what archivers write: ./ before names, long names, litter of macOS, one folder around all', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'skill-http-tar-'));
    try {
      const long = `references/${'l'.repeat(120)}.md`;
      await mkdir(path.join(directory, 'in/references'), { recursive: true });
      await writeFile(path.join(directory, 'in/SKILL.md'), skillMdOf('tarred'));
      await writeFile(path.join(directory, 'in', long), 'long');
      const made: [string, string[]][] = [
        ['default', ['-C', path.join(directory, 'in'), '.']],
        ['pax', ['--format=pax', '-C', path.join(directory, 'in'), '.']],
        ['folder', ['--format=pax', '-C', directory, 'in']],
      ];
      for (const [name, options] of made) {
        const file = path.join(directory, `${name}.tar.gz`);
        execFileSync('tar', ['-czf', file, ...options]);
        const { files, wrapper } = await unpackArchive(await readFile(file), limits);
        expect([name, [...files.keys()].sort(), wrapper]).toEqual([name, ['SKILL.md', long], name === 'folder' ? 'in' : undefined]);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
    const { files } = await unpackArchive(
      await tarGzOf([
        ['./SKILL.md', 'x'],
        ['._SKILL.md', 'litter'],
        ['__MACOSX/a', 'litter'],
        ['a/.DS_Store', 'litter'],
      ]),
      limits,
    );
    expect([...files.keys()]).toEqual(['SKILL.md']);
  });
});

describe('what comes in a zip', () => {
  const centralHeader = [0x50, 0x4b, 0x01, 0x02];

  it.each(hostilePaths)('SRC-4: refuses the path %j', async (name) => {
    expect(await refusal(zipOf({ 'SKILL.md': main[1], [name]: 'x' }))).toMatch(/^(invalid-path|limit-exceeded)$/);
  });

  it('SRC-4: refuses links, devices and what is encrypted (ATK-39)', async () => {
    const withMode = (mode: number) =>
      zipOf({ 'SKILL.md': main[1], thing: [new TextEncoder().encode('/etc/passwd'), { os: 3, attrs: mode << 16 }] });
    expect(await refusal(withMode(0o120777))).toBe('invalid-skill');
    expect(await refusal(withMode(0o060644))).toBe('invalid-skill');
    expect(await refusal(withMode(0o100644))).toBe('unpacked SKILL.md, thing');
    expect(await refusal(patched(zipOf({ 'SKILL.md': main[1] }), centralHeader, 8, [1, 0]))).toBe('invalid-skill');
  });

  it('SRC-4: refuses what would be one file on many disks', async () => {
    for (const [one, other] of [
      ['A.md', 'a.md'],
      ['s.md', '\u017F.md'],
      ['strasse.md', 'stra\u00DFe.md'],
    ] as const)
      expect(await refusal(zipOf({ 'SKILL.md': main[1], [one]: 'x', [other]: 'y' }))).toBe('invalid-skill');
  });

  it('SRC-4: stops at its limits before anything is inflated', async () => {
    expect(await refusal(zipOf(Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, 'x']))))).toBe('limit-exceeded');
    expect(await refusal(zipOf({ 'SKILL.md': main[1], zeros: new Uint8Array(2_000_000) }))).toBe('limit-exceeded');
    expect(await refusal(zipOf({ 'SKILL.md': main[1], zeros: new Uint8Array(32 * 1024 * 1024) }), { unpackedBytes: 1_000_000_000 })).toBe(
      'limit-exceeded',
    );
  });

  it('SRC-4: refuses entries that share bytes, and contents with another checksum (ATK-275)', async () => {
    const zip = zipOf({ 'SKILL.md': main[1], 'a.txt': 'first file', 'b.txt': 'other file' });
    // The checksum stands 16 bytes into an entry of the directory, the place of its content 42.
    expect(await refusal(patched(zip, centralHeader, 16, [1, 2, 3, 4]))).toBe('invalid-skill');
    expect(await refusal(patched(zip, centralHeader, 42, [0, 0, 0, 0]))).toBe('invalid-skill');
    // Into the directory, by its length.
    expect(await refusal(patched(zip, centralHeader, 20, [0xff, 0, 0, 0]))).toBe('invalid-skill');
  });

  it('SRC-4: believes no size that a directory claims', async () => {
    const zip = zipOf({ 'SKILL.md': main[1], zeros: new Uint8Array(2_000_000) });
    // The unpacked size stands 24 bytes into an entry of the directory.
    expect(await refusal(patched(zip, centralHeader, 24, [10, 0, 0, 0]))).toBe('invalid-skill');
    expect(await refusal(zip.slice(0, zip.length - 30))).toBe('invalid-skill');
  });
});

describe('packing', () => {
  it('SRC-5: gives the same bytes for the same files, in whatever order they come', async () => {
    const files: [string, Uint8Array][] = [
      ['SKILL.md', new TextEncoder().encode('a')],
      ['scripts/b.sh', new TextEncoder().encode('b')],
    ];
    const pack = async (some: typeof files, compress: boolean) => await packSkill(new Map(some), compress, packingPace());
    const [one, other] = [await pack(files, true), await pack(files.toReversed(), true)];
    const bytes = await one.read();
    expect(bytes).toEqual(await other.read());
    expect(one.extension).toBe('tar.gz');
    expect(await sha256Hex(bytes)).toBe('c1ee2c0b7156670a73d4919be0368fb294e4115dac1cfe1671a641ca45225051');
    expect(one.digest).toBe('c1ee2c0b7156670a73d4919be0368fb294e4115dac1cfe1671a641ca45225051');
    const [stored, again] = [await pack(files, false), await pack(files.toReversed(), false)];
    expect([stored.digest, stored.length]).toEqual([again.digest, again.length]);
    // Each reading has bytes of its own.
    const [first, second] = [await stored.read(), await stored.read()];
    first.fill(0);
    expect([await sha256Hex(second), second.length]).toEqual([stored.digest, stored.length]);
    expect(gunzipSync(second)).toEqual(gunzipSync(bytes));
  });

  it('SRC-5: stores what is not compressed so that others can read it, whatever its size', async () => {
    const cut = (bytes: Uint8Array) => [0, 1, 512, 70_000].map((start, index, starts) => bytes.subarray(start, starts[index + 1]));
    for (const size of [0, 1, 65_535, 65_536, 200_000]) {
      const bytes = new Uint8Array(size).map((_, index) => (index * 31 + (index >> 9)) & 0xff);
      expect(Buffer.from(bytes).equals(gunzipSync(await storedGzip(cut(bytes), packingPace()))), String(size)).toBe(true);
    }
  });

  it('SRC-5: sums up without Node as with it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 10 }), (before, bytes) => {
        expect(portableCrc32(bytes, portableCrc32(before, 0))).toBe(crc32(Buffer.concat([before, bytes])));
      }),
    );
  });

  it('SRC-5: writes the tar that a library writes, which takes ten times as long', async () => {
    const name = fc.constantFrom('a', 'b.md', '.', 'ä', '\u{1F600}', 'n'.repeat(99), 'p'.repeat(60));
    const filePath = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(filePath, fc.uint8Array({ maxLength: 1_200 }), { noNullPrototype: true }), async (files) => {
        const fitting = Object.entries(files).filter(([file]) => ustarName(file) !== null);
        const mode = (file: string) => (file.startsWith('a') ? 0o755 : 0o644);
        const header = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };
        const expected = await packTar(
          fitting.map(([file, body]) => ({ header: { ...header, name: file, size: body.length, mode: mode(file) }, body })),
        );
        const parts = ustarParts(fitting.map(([file, bytes]) => ({ path: file, bytes, mode: mode(file) })));
        expect(Buffer.concat(parts).equals(expected)).toBe(true);
      }),
    );
  });

  it.each<[folder: number, name: number, fits: boolean]>([
    [155, 100, true],
    [156, 100, false],
    [155, 101, false],
    [0, 100, true],
    [0, 101, false],
  ])('SRC-5: a folder of %d bytes and a name of %d fit into a header: %s', (folder, name, fits) => {
    const file = `${folder === 0 ? '' : `${'d'.repeat(folder)}/`}${'n'.repeat(name)}`;
    expect(ustarName(file) !== null).toBe(fits);
  });

  it('SRC-5: packing a large skill lets others have their turn', async () => {
    expect(await turnsDuring(() => storedGzip([new Uint8Array(8 * 1024 * 1024)], packingPace()))).toBeGreaterThanOrEqual(12);
  });

  it('SRC-5: takes a zip where a name does not fit into the header that every client reads', async () => {
    const fits = `${'d'.repeat(100)}/${'n'.repeat(100)}`;
    expect((await packSkill(new Map([[fits, new Uint8Array(1)]]), true, packingPace())).extension).toBe('tar.gz');
    const { read, extension } = await packSkill(new Map([['n'.repeat(101), new Uint8Array([7])]]), true, packingPace());
    expect(extension).toBe('zip');
    expect([...(await unpackArchive(await read(), limits)).files]).toEqual([['n'.repeat(101), new Uint8Array([7])]]);
  });

  const segment = fc
    .string({
      unit: fc.constantFrom('a', 'b', 'Z', '0', '-', '_', '.', ' ', 'ä', '技', '%', '#', '\u0301', '\u{1F600}'),
      minLength: 1,
      maxLength: 12,
    })
    .map((name) => name.normalize('NFC'));
  const filePath = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

  it('SRC-4, SRC-5: whatever is packed is unpacked as the same bytes (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(filePath, fc.uint8Array({ maxLength: 2_000 }), { maxKeys: 12, noNullPrototype: true }),
        fc.boolean(),
        async (raw, compress) => {
          const taken = new Set<string>();
          const files = Object.entries(raw).filter(([name]) => {
            const prefixes = name.split('/').map((_, index, all) =>
              all
                .slice(0, index + 1)
                .join('/')
                .toUpperCase()
                .toLowerCase(),
            );
            const isNew =
              isResourcePath(name) && !/(^|\/)(\._|\.DS_Store|__MACOSX)/.test(name) && prefixes.every((prefix) => !taken.has(prefix));
            if (isNew) for (const prefix of prefixes) taken.add(prefix);
            return isNew;
          });
          const all = new Map([['SKILL.md', new TextEncoder().encode('x')], ...files]);
          const { files: unpacked } = await unpackArchive(await (await packSkill(all, compress, packingPace())).read(), limits);
          expect(new Map([...unpacked].sort())).toEqual(new Map([...all].sort()));
        },
      ),
      { seed: 4, numRuns: 150 },
    );
  });

  it('SRC-4: whatever the names in an archive are, every path that comes out lies inside a skill (property)', async () => {
    const anyName = fc.oneof(
      fc.string({
        unit: fc.constantFrom('..', '/', '\\', '.', 'a', 'C:', '\0', '\u2025', '%2e', '~', ' ', 'é'),
        minLength: 1,
        maxLength: 10,
      }),
      fc.string({ minLength: 1, maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const packed = zipOf(
          Object.defineProperty({ 'SKILL.md': 'x' }, name, { value: 'y', enumerable: true, writable: true, configurable: true }),
        );
        try {
          const { files } = await unpackArchive(packed, limits);
          expect([...files.keys()].filter((file) => !isResourcePath(file))).toEqual([]);
        } catch (error) {
          expect(SkillError.isInstance(error)).toBe(true);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
