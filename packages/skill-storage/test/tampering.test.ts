import { sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';
import { publishSkillsToStorage, storageSkillProvider } from '../src/index.ts';
import { generation, generationsSeen } from './support/libraries.ts';
import { oneFieldBroken } from '../../../test/support/one-field-broken.ts';
import { MemoryStore } from './support/memory-store.ts';
import { large, published } from './support/published.ts';

describe('SRC-9: a store that was tampered with', () => {
  const flip = (bytes: Uint8Array) => bytes.map((byte, index) => (index === bytes.length >> 1 ? byte ^ 1 : byte));
  const cut = (bytes: Uint8Array) => bytes.slice(0, -1);
  const empty = () => new Uint8Array();
  const longer = (bytes: Uint8Array) => new Uint8Array([...bytes, 32]);

  it('has its pointer, its releases and its files checked before anything of them is used', async () => {
    const { store } = await published();
    const original = new Map(store.objects);
    expect(original.size).toBeGreaterThan(2);
    for (const key of original.keys()) {
      for (const change of [flip, cut, empty, longer]) {
        // The pointer has no digest; a space behind it means nothing.
        if (key === 'current.json' && change === longer) continue;
        for (const [name, object] of original) store.objects.set(name, object);
        store.tamper(key, change);
        const call = generationsSeen(storageSkillProvider({ store }));
        await expect(call, key).rejects.toMatchObject({ code: key.startsWith('files/') ? 'digest-mismatch' : 'source-unavailable' });
      }
    }
  });

  it('keeps serving the release that was read', async () => {
    const { store, provider, codes } = await published({ staleAfterMs: 0 });
    await provider.listSkills();
    await publishSkillsToStorage(store, generation(2));
    for (const key of store.objects.keys()) if (key.startsWith('releases/')) store.tamper(key, flip);
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 1');
    expect(await codes()).toEqual(['release-unavailable']);
    store.tamper('current.json', cut);
    expect((await provider.listSkills()).skills[0]?.description).toContain('generation 1');
    expect(await codes()).toEqual(['stale-release']);
  });

  it('rejects for a skill that cannot be used, until it can', async () => {
    const { store, provider } = await published({ staleAfterMs: 0, limits: { memoryBytes: 1 } });
    const whole = new Map(store.objects);
    for (const key of store.objects.keys()) if (key.startsWith('files/')) store.tamper(key, flip);
    await expect(provider.getSkill('alpha')).rejects.toMatchObject({ code: 'digest-mismatch' });
    await publishSkillsToStorage(store, generation(1), { verify: true });
    expect(new Map(store.objects)).toEqual(whole);
    expect((await provider.getSkill('alpha'))?.diagnostics).toEqual([]);
  });

  it('tells that a file has another size, also where only its beginning is read', async () => {
    const { store, provider } = await published({}, large);
    for (const [key, { bytes }] of store.objects) if (bytes.length === 100_000) store.tamper(key, (all) => all.slice(0, 50_000));
    await expect(provider.readResource('large', 'assets/large.bin', { maxBytes: 10 })).rejects.toMatchObject({ code: 'digest-mismatch' });
  });
});

describe('SRC-9: hostile contents with right digests', () => {
  async function forged(release: unknown, documents: readonly unknown[] = []) {
    const store = new MemoryStore();
    const write = async (key: (digest: string) => string, value: unknown) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const digest = await sha256Hex(bytes);
      await store.put(key(digest), bytes);
      return { digest, size: bytes.length };
    };
    const references: unknown[] = [];
    for (const document of documents) references.push(await write((digest) => `files/${digest}`, document));
    const text = JSON.parse(JSON.stringify(release), (_, value: unknown) =>
      typeof value === 'string' && /^#\d+$/.test(value) ? references[Number(value.slice(1))] : value,
    ) as unknown;
    const { digest } = await write((id) => `releases/${id}.json`, text);
    await write(() => 'current.json', { form: 1, release: digest, previous: ['../..', 7] });
    return storageSkillProvider({ store });
  }
  const ok = { form: 1, body: 'b', skillMd: null, resources: [] };
  const metadata = (name: unknown, more: object = {}) => ({ name, description: 'd', ...more });

  it('leave the good skills listed, and each bad one told', async () => {
    const provider = await forged(
      {
        form: 1,
        skills: [
          { metadata: metadata('good', { origin: { trusted: true }, tools: [1], __proto__: null }), document: '#0' },
          { metadata: metadata('good'), document: '#0' },
          { metadata: metadata(''), document: '#0' },
          { metadata: metadata(7), document: '#0' },
          { metadata: { name: 'bare' }, document: '#0' },
          { metadata: metadata('lost'), document: { digest: '../../secret', size: 1 } },
          { metadata: metadata('sizeless'), document: { digest: '0'.repeat(64), size: -1 } },
          { metadata: metadata('adrift') },
          null,
          'text',
          [],
        ],
      },
      [ok],
    );
    expect((await provider.listSkills()).skills).toEqual([
      { name: 'good', description: 'd', version: null, origin: { kind: 'storage', label: 'storage', trusted: false } },
    ]);
    const { diagnostics } = await provider.listSkills();
    expect(diagnostics.every(({ fix }) => fix === 'Publish the skills again.')).toBe(true);
    expect(diagnostics.map(({ code, skill }) => [code, skill])).toEqual([
      ['release-entry-metadata', 'good'],
      ['release-entry-invalid', undefined],
      ['release-entry-invalid', undefined],
      ['release-entry-invalid', 'bare'],
      ['release-entry-invalid', 'lost'],
      ['release-entry-invalid', 'sizeless'],
      ['release-entry-invalid', 'adrift'],
      ['release-entry-invalid', undefined],
      ['release-entry-invalid', undefined],
      ['release-entry-invalid', undefined],
      ['release-entry-duplicate', 'good'],
    ]);
  });

  it('have the content that their files have, whatever the release says of it', async () => {
    const told = '1'.repeat(64);
    const document = { ...ok, skillMd: { digest: '0'.repeat(64), size: 1 } };
    const provider = await forged({ form: 1, skills: [{ metadata: metadata('good', { content: told }), content: told, document: '#0' }] }, [
      document,
    ]);
    const content = (await provider.getSkill('good'))?.content ?? '';
    expect(content).toMatch(/^[0-9a-f]{64}$/);
    expect(await provider.getSkill('good', { content })).toMatchObject({ body: 'b' });
    expect(await provider.getSkill('good', { content: told })).toBeNull();
  });

  const file = (path: unknown, more: object = {}) => ({ path, size: 1, mediaType: 'text/plain', digest: '0'.repeat(64), ...more });
  it.each([
    ['a path out of the skill', { ...ok, resources: [file('../x')] }],
    ['SKILL.md itself', { ...ok, resources: [file('SKILL.md')] }],
    ['a path twice', { ...ok, resources: [file('a'), file('a')] }],
    ['a digest that is a path', { ...ok, resources: [file('a', { digest: '../../current.json' })] }],
    ['a size that is none', { ...ok, resources: [file('a', { size: 1.5 })] }],
    ['a SKILL.md that is nowhere', { ...ok, skillMd: { size: 1, digest: '../../current.json' } }],
    ['no object', [ok]],
  ])('make a skill unusable that has %s', async (_, document) => {
    const provider = await forged(
      {
        form: 1,
        skills: [
          { metadata: metadata('bad'), document: '#0' },
          { metadata: metadata('good'), document: '#1' },
        ],
      },
      [document, ok],
    );
    expect((await provider.listSkills()).skills).toHaveLength(2);
    await expect(provider.getSkill('bad')).rejects.toMatchObject({ code: 'invalid-skill', skill: 'bad' });
    await expect(provider.readResource('bad', 'a')).rejects.toMatchObject({ code: 'invalid-skill' });
    expect(await provider.getSkill('good')).toMatchObject({ body: 'b' });
  });

  it('make a skill unusable in which any one part is wrong, but for a description', async () => {
    const digest = '0'.repeat(64);
    const whole = { form: 1, body: 'b', skillMd: { size: 1, digest }, resources: [file('a', { description: 'A.' })] };
    const broken = oneFieldBroken(whole);
    const names = broken.map(({ place, given }, index) => `${index}: ${place} ${given}`);
    const provider = await forged(
      { form: 1, skills: names.map((name, index) => ({ metadata: metadata(name), document: `#${index}` })) },
      broken.map(({ value }) => value),
    );
    const read: string[] = [];
    for (const name of names) {
      const result = await provider.getSkill(name).catch((error: unknown) => error);
      if (result instanceof Error) expect(result, name).toMatchObject({ code: 'invalid-skill', skill: name });
      else read.push(name.replace(/^\d+: /, ''));
    }
    const descriptions = read.filter((name) => name.startsWith('resources[0].description '));
    expect(descriptions).toHaveLength(6);
    expect(read.filter((name) => !descriptions.includes(name))).toEqual(['skillMd null', 'resources[0] nothing']);
  });

  it.each([
    ['another form', { form: 2, skills: [] }],
    ['no skills', { form: 1 }],
    ['no object', 7],
  ])('make a release unusable that has %s', async (_, release) => {
    await expect((await forged(release)).listSkills()).rejects.toMatchObject({ code: 'source-unavailable' });
  });
});
