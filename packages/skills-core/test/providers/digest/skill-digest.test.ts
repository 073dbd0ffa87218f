import { createHash } from 'node:crypto';
import { SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { turnsDuring } from '../../../../skills-testkit/src/turns-during.ts';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import { canonicalJson } from '../../../src/providers/digest/canonical-json.ts';
import { digestOfSkill } from '../../../src/providers/digest/digest-of-skill.ts';
import { sha256Hex } from '../../../src/providers/digest/sha256-hex.ts';
import { skillDigest, skillDigestFromFileDigests } from '../../../src/providers/digest/skill-digest.ts';

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const path = fc.constantFrom('SKILL.md', 'a', 'a.txt', 'a/b', 'references/é.md', '\u{1F600}.txt', '\uFFFD.txt', '__proto__', 'z z');
const files = fc.dictionary(path, fc.oneof(fc.string(), fc.uint8Array({ maxLength: 40 })), { noNullPrototype: true });

describe('sha256Hex', () => {
  it('CON-9: is SHA-256 in lower-case hex, of bytes or of UTF-8', async () => {
    expect(await sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(await sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await sha256Hex(new Uint8Array([97, 98, 99, 100]).subarray(0, 3))).toBe(await sha256Hex('abc'));
    expect(await sha256Hex('ä')).toBe(sha256(new Uint8Array([0xc3, 0xa4])));
  });

  it('CON-9: is the same where there is no Node, and where there is no Web Crypto either', async () => {
    const contents = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\uD800'), fc.uint8Array({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        const here = await sha256Hex(content);
        vi.stubGlobal('process', undefined);
        const elsewhere = await sha256Hex(content);
        vi.stubGlobal('crypto', {});
        const withoutCrypto = await sha256Hex(content).finally(() => vi.unstubAllGlobals());
        expect([elsewhere, withoutCrypto]).toEqual([here, here]);
      }),
    );
  });

  it('CON-9: refuses memory that others can change while it is hashed, also where Node hashes', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    await expect(sha256Hex(shared)).rejects.toThrow(TypeError);
    vi.stubGlobal('process', undefined);
    await expect(sha256Hex(shared)).rejects.toThrow(TypeError);
    vi.stubGlobal('crypto', {});
    await expect(sha256Hex(shared)).rejects.toThrow(TypeError);
    vi.unstubAllGlobals();
  });

  it('CON-9: lets others have their turn while it hashes much, in one piece or in many', async () => {
    const inMany = await turnsDuring(async () => {
      for (let index = 0; index < 1_000; index += 1) await sha256Hex(new Uint8Array(4_096));
    });
    expect(inMany).toBeGreaterThanOrEqual(10);
    const large = new Uint8Array(1_000_000);
    const inPieces = await turnsDuring(async () => {
      for (let index = 0; index < 20; index += 1) await sha256Hex(large);
    });
    // A thread may be done before the next turn comes.
    expect(inPieces).toBeGreaterThanOrEqual(5);
    expect(await sha256Hex(large)).toBe(sha256(large));
  });
});

describe('skillDigest', () => {
  it('CON-9: is SHA-256 over the sorted lines of path, NUL, hex, LF', async () => {
    const digest = await skillDigest({ 'references/b.md': 'B', 'SKILL.md': 'S', 'a.md': new Uint8Array([1]) });
    expect(digest).toBe(sha256(`SKILL.md\0${sha256('S')}\na.md\0${sha256(new Uint8Array([1]))}\nreferences/b.md\0${sha256('B')}\n`));
    expect(await skillDigest({})).toBe(sha256(''));
  });

  it('CON-9: depends on paths and bytes, and on nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(files, files, async (one, other) => {
        const bytes = (all: typeof one) =>
          new Map(Object.entries(all).map(([name, content]) => [name, Buffer.from(content as string).toString('hex')]));
        const [left, right] = [bytes(one), bytes(other)];
        const same = left.size === right.size && [...left].every(([name, hex]) => right.get(name) === hex);
        expect((await skillDigest(one)) === (await skillDigest(other))).toBe(same);
        expect(await skillDigest(Object.fromEntries(Object.entries(one).toReversed()))).toBe(await skillDigest(one));
      }),
    );
  });

  it('CON-9: no path and no digest can pretend to be two lines', async () => {
    for (const hostile of ['a\nb', 'a\0b', '../a', '/a', '', 'a//b'])
      await expect(skillDigest({ [hostile]: '' })).rejects.toMatchObject({ code: 'invalid-path' });
    for (const hex of ['', 'A'.repeat(64), `${'a'.repeat(64)}\n`, 'a'.repeat(63)]) {
      await expect(skillDigestFromFileDigests({ a: hex })).rejects.toMatchObject({ code: 'digest-mismatch', path: 'a' });
    }
    expect(await skillDigestFromFileDigests({ 'a.md': sha256('A') })).toBe(await skillDigest({ 'a.md': 'A' }));
  });
});

describe('canonicalJson', () => {
  it('CON-9: has one spelling for equal data, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
    expect(canonicalJson({ b: undefined, a: [undefined, 1], '10': 'x', '9': { d: null, c: '\u2028"' } })).toBe(
      '{"10":"x","9":{"c":"\u2028\\"","d":null},"a":[null,1]}',
    );
  });
});

describe('digestOfSkill', () => {
  const base: SkillDefinition = {
    name: 'billing',
    description: 'Refunds. Use for money.',
    body: 'Ask.',
    metadata: { tier: 'free' },
    resources: { 'a.md': 'A', 'b.bin': new Uint8Array([1]) },
  };
  const digest = async (skill: SkillDefinition, label = 'x', trusted = true) =>
    await digestOfSkill(new SkillRegistry({ skills: [skill], label, trusted }), skill.name);

  it('CON-9: is the same by any source, whoever is trusted', async () => {
    const one = await digest(base, 'one', true);
    expect(one?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await digest(base, 'two', false)).toEqual(one);
    expect(
      await digest({
        ...base,
        metadata: { tier: 'free' },
        resources: { 'b.bin': new Uint8Array([1]), 'a.md': () => Promise.resolve('A') },
      }),
    ).toEqual(one);
    // No SKILL.md was written, so the canonical text takes its place.
    const written = { 'SKILL.md': serializeSkillMd({ ...base, body: 'Ask.' }), 'a.md': 'A', 'b.bin': new Uint8Array([1]) };
    expect(one?.digest).toBe(await skillDigest(written));
    expect(one?.files).toEqual(Object.fromEntries(Object.entries(written).map(([name, content]) => [name, sha256(content)])));
  });

  it.each<[string, Partial<SkillDefinition>, readonly string[]]>([
    ['the description', { description: 'Refunds. Use for everything.' }, ['frontmatter', 'files']],
    ['a field that nobody interprets', { fields: { x: 'y' } }, ['frontmatter', 'files']],
    ['a tool', { tools: ['delete'] }, ['frontmatter', 'files']],
    ['the version', { version: '1.0.0' }, ['frontmatter', 'files']],
    ['the body', { body: 'Ask.\nTwice.' }, ['body', 'files']],
    ['a byte of a file', { resources: { ...base.resources, 'b.bin': new Uint8Array([2]) } }, ['files']],
    ['a new file', { resources: { ...base.resources, 'c.md': '' } }, ['files']],
    ['a file less', { resources: { 'a.md': 'A' } }, ['files']],
    ['the name of a file', { resources: { 'A.md': 'A', 'b.bin': new Uint8Array([1]) } }, ['files']],
  ])('CON-9: changes with %s', async (_what, change, parts) => {
    const [before, after] = [await digest(base), await digest({ ...base, ...change })];
    expect(after?.digest).not.toBe(before?.digest);
    const changed = (['frontmatter', 'body', 'files'] as const).filter(
      (part) => JSON.stringify(before?.[part]) !== JSON.stringify(after?.[part]),
    );
    expect(changed).toEqual(parts);
  });

  it('CON-9: is null for what is unknown, and never that of a part', async () => {
    const provider = fixedSkillProvider([base]);
    expect(await digestOfSkill(provider, 'unknown')).toBeNull();
    expect(await digestOfSkill(provider, 'billing', { version: '9' })).toBeNull();
    const gone: SkillProvider = { ...provider, readResource: async () => null };
    await expect(digestOfSkill(gone, 'billing')).rejects.toMatchObject({ code: 'resource-not-found', path: 'a.md' });
    const cut: SkillProvider = {
      ...provider,
      readResource: (name, file, options) => provider.readResource(name, file, { ...options, maxBytes: 0 }),
    };
    await expect(digestOfSkill(cut, 'billing')).rejects.toMatchObject({ code: 'resource-not-found', path: 'a.md' });
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, child]) => [key, reversed(child)]),
  );
}
