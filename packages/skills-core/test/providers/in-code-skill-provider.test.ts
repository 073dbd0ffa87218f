import { describe, expect, it } from 'vitest';
import { inCodeSkillProvider, type SkillDefinition } from '@repertoire/skills-core';

const base = { description: 'Does a thing. Use when a thing is wanted.', body: 'Do it.' };

describe('inCodeSkillProvider', () => {
  it('CON-5: refuses two skills of one name and version, and a hostile resource path', () => {
    expect(() =>
      inCodeSkillProvider([
        { name: 'a', ...base },
        { name: 'a', ...base },
      ]),
    ).toThrow(expect.objectContaining({ code: 'duplicate-skill', skill: 'a' }));
    expect(() => inCodeSkillProvider([{ name: 'a', ...base, resources: { '../b': '' } }])).toThrow(
      expect.objectContaining({ code: 'invalid-skill', path: '../b' }),
    );
    expect(() => inCodeSkillProvider([{ name: 'a', description: ' ', body: '' }])).toThrow(
      expect.objectContaining({ code: 'invalid-skill' }),
    );
  });

  it('CON-5: names, descriptions and compatibility are told what a file would be told', async () => {
    const skills: SkillDefinition[] = [
      { name: 'Bad Name', ...base },
      { name: 'long', description: 'x'.repeat(2_000), compatibility: 'y'.repeat(600), body: '' },
      { name: 'fine', ...base },
    ];
    const provider = inCodeSkillProvider(skills);
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
    const bundled = inCodeSkillProvider(skills.map((skill) => ({ ...skill, skillMd: '' })));
    expect((await bundled.listSkills()).diagnostics).toEqual([]);
  });

  it('CON-3: lists versions newest first, and gives the one that is asked for', async () => {
    const provider = inCodeSkillProvider(
      ['1.2.0', '1.10.0', '2.0.0-rc.1'].map((version): SkillDefinition => ({ name: 'a', ...base, version, body: `v${version}` })),
    );
    expect((await provider.listSkills()).skills.map((skill) => skill.version)).toEqual(['2.0.0-rc.1', '1.10.0', '1.2.0']);
    expect((await provider.getSkill('a'))?.body).toBe('v2.0.0-rc.1');
    expect((await provider.getSkill('a', { version: '1.2.0' }))?.body).toBe('v1.2.0');
    expect(await provider.getSkill('a', { version: '^1.0.0' })).toBeNull();
  });

  it('CON-5: calls lazy bodies and resources only when they are asked for, and each time', async () => {
    const calls: string[] = [];
    const provider = inCodeSkillProvider([
      {
        name: 'lazy',
        ...base,
        body: () => (calls.push('body'), Promise.resolve('\uFEFFlate\r\n')),
        resources: { 'a.txt': () => (calls.push('a.txt'), 'text'), 'b.bin': async () => new Uint8Array([1, 2, 3]) },
      },
    ]);
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

  it('CON-5, SRC-9: tells size and digest of a lazy file without reading it, and gives them with its bytes', async () => {
    const calls: string[] = [];
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const provider = inCodeSkillProvider([
      {
        name: 'bundled',
        ...base,
        resources: {
          'a.txt': { size: 3, digest, read: () => (calls.push('a.txt'), 'abc') },
          'b.bin': { size: 2, read: async () => (calls.push('b.bin'), new Uint8Array([1, 2])) },
        },
      },
    ]);
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
    const provider = inCodeSkillProvider([{ name: 'hangs', ...base, body: () => new Promise<string>(() => {}) }]);
    const controller = new AbortController();
    const reading = provider.getSkill('hangs', { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('GOV-6: origin and trust are what the host says', async () => {
    const [trusted] = (await inCodeSkillProvider([{ name: 'a', ...base }]).listSkills()).skills;
    const bundle = inCodeSkillProvider([{ name: 'a', ...base }], { label: 'bundle', trusted: false, kind: 'bundle' });
    const [untrusted] = (await bundle.listSkills()).skills;
    expect(trusted?.origin).toEqual({ kind: 'code', label: 'code', trusted: true });
    expect(untrusted?.origin).toEqual({ kind: 'bundle', label: 'bundle', trusted: false });
  });

  it('CON-1: names of the prototype are unknown', async () => {
    const provider = inCodeSkillProvider([{ name: 'a', ...base, resources: {} }]);
    expect(await provider.getSkill('constructor')).toBeNull();
    expect(await provider.readResource('a', 'constructor')).toBeNull();
    expect(await provider.readResource('a', '__proto__')).toBeNull();
  });
});
