import { describe, expect, it } from 'vitest';
import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';

const base = { description: 'Does a thing. Use when a thing is wanted.', body: 'Do it.' };

describe('what a registry serves', () => {
  it('CON-5: names, descriptions and compatibility are told what a file would be told', async () => {
    const skills: SkillDefinition[] = [
      { name: 'Bad Name', ...base },
      { name: 'long', description: 'x'.repeat(2_000), compatibility: 'y'.repeat(600), body: '' },
      { name: 'fine', ...base },
    ];
    const provider = new SkillRegistry({ skills });
    const { diagnostics } = await provider.listSkills();
    expect(diagnostics.map(({ code, severity, skill }) => [code, severity, skill])).toEqual([
      ['name-not-lowercase', 'warning', 'Bad Name'],
      ['name-invalid-characters', 'warning', 'Bad Name'],
      ['description-too-long', 'warning', 'long'],
      ['compatibility-too-long', 'warning', 'long'],
    ]);
    expect(diagnostics[0]?.fix).toBe('Rename it, for example to "bad-name".');
    expect((await provider.getSkill('long'))?.diagnostics).toEqual(diagnostics.slice(2));
    // A bundle was checked when it was made.
    const bundled = new SkillRegistry({ skills: skills.map((skill) => ({ ...skill, skillMd: '' })) });
    expect((await bundled.listSkills()).diagnostics).toEqual([]);
  });

  it('CON-5: calls lazy bodies and resources only when they are asked for, and each time', async () => {
    const calls: string[] = [];
    const provider = new SkillRegistry({
      skills: [
        {
          name: 'lazy',
          ...base,
          body: () => (calls.push('body'), Promise.resolve('\uFEFFlate\r\n')),
          resources: { 'a.txt': () => (calls.push('a.txt'), 'text'), 'b.bin': async () => new Uint8Array([1, 2, 3]) },
        },
      ],
    });
    await provider.listSkills();
    expect(calls).toEqual([]);
    const skill = await provider.getSkill('lazy');
    expect(skill?.body).toBe('late');
    expect(skill?.resources).toEqual([
      { path: 'a.txt', kind: 'other', mediaType: 'text/plain' },
      { path: 'b.bin', kind: 'other', mediaType: 'application/octet-stream' },
    ]);
    expect(calls).toEqual(['body']);
    expect((await provider.readResource('lazy', 'a.txt'))?.size).toBe(4);
    expect(calls).toEqual(['body', 'a.txt']);
    expect(await provider.readResource('lazy', 'b.bin', { maxBytes: 2 })).toMatchObject({ bytes: new Uint8Array([1, 2]), size: 3 });
  });

  it('SRC-9: gives the digest of a text and of bytes with them', async () => {
    const resources = { 'a.txt': 'abc', 'b.bin': new Uint8Array([97, 98, 99]) };
    const provider = new SkillRegistry({ skills: [{ name: 'a', ...base, resources }] });
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    for (const path of ['a.txt', 'b.bin']) expect(await provider.readResource('a', path)).toMatchObject({ size: 3, digest });
  });

  it('CON-5, SRC-9: tells size and digest of a lazy file without reading it, and gives them with its bytes', async () => {
    const calls: string[] = [];
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const provider = new SkillRegistry({
      skills: [
        {
          name: 'bundled',
          ...base,
          resources: {
            'a.txt': { size: 3, digest, read: () => (calls.push('a.txt'), 'abc') },
            'b.bin': { size: 2, read: async () => (calls.push('b.bin'), new Uint8Array([1, 2])) },
          },
        },
      ],
    });
    expect((await provider.getSkill('bundled'))?.resources).toEqual([
      { path: 'a.txt', kind: 'other', mediaType: 'text/plain', size: 3, digest },
      { path: 'b.bin', kind: 'other', mediaType: 'application/octet-stream', size: 2 },
    ]);
    expect(calls).toEqual([]);
    expect(await provider.readResource('bundled', 'a.txt', { maxBytes: 1 })).toEqual({
      path: 'a.txt',
      bytes: new Uint8Array([97]),
      size: 3,
      mediaType: 'text/plain',
      digest,
    });
    expect(await provider.readResource('bundled', 'b.bin')).toEqual({
      path: 'b.bin',
      bytes: new Uint8Array([1, 2]),
      size: 2,
      mediaType: 'application/octet-stream',
    });
    expect(calls).toEqual(['a.txt', 'b.bin']);
  });

  it('CON-1: an abort while a lazy body hangs rejects with the reason', async () => {
    const provider = new SkillRegistry({ skills: [{ name: 'hangs', ...base, body: () => new Promise<string>(() => {}) }] });
    const controller = new AbortController();
    const reading = provider.getSkill('hangs', { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('GOV-6: origin and trust are what the host says', async () => {
    const skills: readonly SkillDefinition[] = [
      { name: 'a', ...base },
      { name: 'b', ...base, skillMd: '' },
    ];
    const originsOf = async (registry: SkillRegistry) => (await registry.listSkills()).skills.map(({ origin }) => origin);
    expect(await originsOf(new SkillRegistry({ skills }))).toEqual([
      { kind: 'code', label: 'code', trusted: true },
      { kind: 'bundle', label: 'code', trusted: true },
    ]);
    expect((await originsOf(new SkillRegistry({ skills, label: 'tenant', trusted: false })))[0]).toEqual({
      kind: 'code',
      label: 'tenant',
      trusted: false,
    });
  });

  it('CON-1: names of the prototype are unknown', async () => {
    const provider = new SkillRegistry({ skills: [{ name: 'a', ...base, resources: {} }] });
    expect(await provider.getSkill('constructor')).toBeNull();
    expect(await provider.readResource('a', 'constructor')).toBeNull();
    expect(await provider.readResource('a', '__proto__')).toBeNull();
  });
});
