import { createHash } from 'node:crypto';
import { storageSkillProvider, type SkillStore } from '@repertoire/skill-storage';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, jsonOf } from '../support/bytes.ts';
import { checkDiagnostics, checkSize, refusedOr } from '../support/orderly.ts';

const file = 'hello';
const digest = createHash('sha256').update(file).digest('hex');
const stored = {
  pointer: { form: 1, release: '@release', previous: ['a'.repeat(64)] },
  release: {
    form: 1,
    skills: [
      {
        metadata: { name: 'a', description: 'd', version: '1.0.0', tools: ['x'], metadata: { b: 'c' } },
        document: { digest: '@document', size: '@size' },
      },
    ],
  },
  document: {
    form: 1,
    body: 'b',
    skillMd: { size: file.length, digest },
    resources: [{ path: 'a.md', size: file.length, mediaType: 'text/markdown', digest, description: 'x' }],
  },
};

/** Reading what lies in a store. `@release`, `@document` and `@size` stand for what names each other by digest. */
export const target: FuzzTarget = {
  form: 'json',
  words: [
    'form',
    'pointer',
    'release',
    'document',
    '@release',
    '@document',
    '@size',
    'skills',
    'metadata',
    'name',
    'description',
    'version',
    'digest',
    'size',
    'body',
    'skillMd',
    'resources',
    'path',
    'mediaType',
    'previous',
    'SKILL.md',
    '../x',
    digest,
  ],
  seeds: () => bytesOf(JSON.stringify(stored)),
  budget: { freeMs: 60, msPerKib: 6 },
  async run(input) {
    const parts = jsonOf(input);
    if (typeof parts !== 'object' || parts === null) return;
    const part = (name: string): string => JSON.stringify((parts as Record<string, unknown>)[name]) ?? '';
    const objects = new Map<string, Uint8Array>([[`files/${digest}`, new TextEncoder().encode(file)]]);
    const document = part('document');
    const documentDigest = put(objects, document, (hash) => `files/${hash}`);
    const release = part('release')
      .replaceAll('"@document"', `"${documentDigest}"`)
      .replaceAll('"@size"', String(Buffer.byteLength(document)));
    const releaseDigest = put(objects, release, (hash) => `releases/${hash}.json`);
    objects.set('current.json', new TextEncoder().encode(part('pointer').replaceAll('"@release"', `"${releaseDigest}"`)));
    const provider = storageSkillProvider({ store: storeOf(objects), now: () => 0 });
    const listing = await refusedOr(() => provider.listSkills());
    if (listing === undefined) return;
    checkDiagnostics(listing.diagnostics, input);
    checkSize(listing.skills, input);
    for (const { name } of listing.skills.slice(0, 2)) {
      const skill = await refusedOr(() => provider.getSkill(name));
      for (const { path } of (skill?.resources ?? []).slice(0, 2)) await refusedOr(() => provider.readResource(name, path));
      await refusedOr(() => provider.readResource(name, 'SKILL.md'));
    }
  },
};

function put(objects: Map<string, Uint8Array>, text: string, keyOf: (digest: string) => string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  objects.set(keyOf(hash), new TextEncoder().encode(text));
  return hash;
}

function storeOf(objects: ReadonlyMap<string, Uint8Array>): SkillStore {
  return {
    label: 'memory',
    conditional: false,
    async get(key, { maxBytes } = {}) {
      const bytes = objects.get(key);
      return bytes === undefined ? null : { bytes: bytes.slice(0, maxBytes), size: bytes.length };
    },
    put: async () => false,
    list: async () => [],
    delete: async () => {},
  };
}
