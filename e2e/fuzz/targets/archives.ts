import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync, crc32 } from 'node:zlib';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { indexPath, providerOf } from '../support/http-answers.ts';
import { checkDiagnostics, refusedOr } from '../support/orderly.ts';

const block = 512;
const skillMd = '---\nname: a\ndescription: d\n---\nb\n';

/** Unpacking a zip, a tar.gz, or a tar, which is packed here with headers whose checksums fit: else nothing behind them would be reached. */
export const target: FuzzTarget = {
  form: 'bytes',
  words: [
    'PK\u0003\u0004',
    'PK\u0001\u0002',
    'PK\u0005\u0006',
    'PK\u0006\u0006',
    'PK\u0006\u0007',
    '\u0000',
    '\u0000'.repeat(16),
    '\u0000'.repeat(block),
    'ustar\u000000',
    'ustar  \u0000',
    '././@LongLink',
    '0000644\u0000',
    '77777777777',
    '00000000010',
    'SKILL.md',
    '../x',
    '/etc/x',
    'a/b',
    '__MACOSX/._a',
    '.DS_Store',
    'GNU.sparse.major=1\n',
    '30 path=x\n',
    '20 size=999999999\n',
    'L',
    'x',
    'g',
    '2',
    '1',
    '5',
    'S',
  ],
  seeds: () => [
    tar([
      ['SKILL.md', skillMd, '0'],
      ['references/a.md', 'text', '0'],
    ]),
    tar([
      ['a/', '', '5'],
      ['a/SKILL.md', skillMd, '0'],
      ['a/link', '', '2'],
    ]),
    tar([
      ['././@LongLink', `${'long/'.repeat(30)}x.md\u0000`, 'L'],
      ['long', 'text', '0'],
      ['SKILL.md', skillMd, '0'],
    ]),
    tar([
      ['pax', '18 path=SKILL.md\n', 'x'],
      ['y', skillMd, '0'],
      ['g', '22 comment=hello you\n', 'g'],
    ]),
    zip(
      [
        ['SKILL.md', skillMd],
        ['references/a.md', 'text'.repeat(50)],
      ],
      false,
    ),
    zip(
      [
        ['a/SKILL.md', skillMd],
        ['a/b.md', 'text'.repeat(50)],
        ['__MACOSX/._b', 'x'],
      ],
      true,
    ),
  ],
  // Up to 8 MiB may come out of however little.
  budget: { freeMs: 400, msPerKib: 20 },
  maxBytes: 16_384,
  async run(input) {
    const isPacked = (input[0] === 0x50 && input[1] === 0x4b) || (input[0] === 0x1f && input[1] === 0x8b);
    const archive = isPacked ? input : new Uint8Array(gzipSync(withChecksums(input), { level: 1 }));
    const digest = `sha256:${createHash('sha256').update(archive).digest('hex')}`;
    const entry = { name: 'a', type: 'archive', description: 'd', url: '/a.tar.gz', digest };
    const index = new TextEncoder().encode(
      JSON.stringify({ $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills: [entry] }),
    );
    const provider = providerOf(
      new Map([
        [indexPath, index],
        ['/a.tar.gz', archive],
      ]),
      { layout: 'well-known', limits: { unpackedBytes: 16 * 2 ** 20, files: 100 } },
    );
    const skill = await refusedOr(() => provider.getSkill('a'));
    if (skill === undefined || skill === null) return;
    checkDiagnostics(skill.diagnostics ?? [], input);
    for (const { path } of skill.resources.slice(0, 5)) {
      if (path.split('/').includes('..') || path.startsWith('/')) throw new Error(`The file ${path} is outside of the skill.`);
      await refusedOr(() => provider.readResource('a', path));
    }
  },
};

type Entry = readonly [name: string, content: string, type: string];

function tar(entries: readonly Entry[]): Uint8Array {
  const parts = entries.flatMap(([name, content, type]) => {
    const header = Buffer.alloc(block);
    header.write(name.slice(0, 100), 0);
    header.write('0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write(type, 156);
    if (type === '2') header.write('SKILL.md', 157);
    header.write('ustar\u000000', 257);
    const body = Buffer.from(content);
    return [header, body, Buffer.alloc((block - (body.length % block)) % block)];
  });
  return withChecksums(new Uint8Array(Buffer.concat([...parts, Buffer.alloc(2 * block)])));
}

function withChecksums(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes);
  for (let at = 0; at + block <= copy.length; at += block) {
    if (copy.toString('latin1', at + 257, at + 262) !== 'ustar') continue;
    copy.fill(0x20, at + 148, at + 156);
    const sum = copy.subarray(at, at + block).reduce((total, byte) => total + byte, 0);
    copy.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148);
  }
  return new Uint8Array(copy);
}

function zip(files: readonly (readonly [name: string, content: string])[], isDeflated: boolean): Uint8Array {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, content] of files) {
    const [name, raw] = [Buffer.from(path), Buffer.from(content)];
    const data = isDeflated ? deflateRawSync(raw) : raw;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    locals.push(local);
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0003'), common, rest, name]));
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}
