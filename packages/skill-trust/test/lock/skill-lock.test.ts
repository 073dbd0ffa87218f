import { SkillError, type SkillDefinition, type SkillLock, type SkillProvider } from '@repertoire/skills-core';
import { fixedSkillProvider, type LockedPlugin } from '@repertoire/skills-core/internal';
import { describe, expect, it } from 'vitest';
import { oneFieldBroken } from '../../../../test/support/one-field-broken.ts';
import { createSkillLock } from '../../src/lock/create-skill-lock.ts';
import { parseSkillLock, serializeSkillLock } from '../../src/lock/lock-file.ts';
import { diffSkillLock } from '../../src/lock/skill-lock-diff.ts';
import { composeProviders } from '../../../skills-core/src/providers/compose/compose-providers.ts';

const base = { description: 'Does a thing. Use when a thing is wanted.', body: 'Do it.' };
const skills: readonly SkillDefinition[] = [
  { name: 'search', ...base },
  { name: 'billing', ...base, version: '1.2.0', resources: { 'references/policy.md': 'Policy', 'a.md': 'A' } },
  { name: 'billing', ...base, version: '1.10.0', resources: { 'a.md': 'A' } },
];
const source = (definitions = skills, label = 'acme') => fixedSkillProvider(definitions, { label });
const change = (name: string, version: string | undefined, fields: Partial<SkillDefinition>) =>
  skills.map((skill) => (skill.name === name && skill.version === version ? { ...skill, ...fields } : skill));

describe('createSkillLock', () => {
  it('GOV-9: pins every skill in every version: its source, its parts and each file', async () => {
    const lock = await createSkillLock(source());
    expect(lock.lockVersion).toBe(1);
    expect(lock.skills.map(({ name, version, source: label, files }) => [name, version, label, Object.keys(files)])).toEqual([
      ['billing', '1.10.0', 'acme', ['SKILL.md', 'a.md']],
      ['billing', '1.2.0', 'acme', ['SKILL.md', 'a.md', 'references/policy.md']],
      ['search', null, 'acme', ['SKILL.md']],
    ]);
  });

  it('GOV-9: forgets nothing: a source that does not answer, or a skill that goes away meanwhile, fails it (ATK-95)', async () => {
    const down: SkillProvider = { ...source([], 'crm'), listSkills: () => Promise.reject(new Error('down')) };
    await expect(createSkillLock(composeProviders([source(), down]))).rejects.toMatchObject({
      code: 'source-unavailable',
      message: expect.stringContaining('"crm"') as string,
    });
    const fleeting: SkillProvider = { ...source(), getSkill: async () => null };
    await expect(createSkillLock(fleeting)).rejects.toMatchObject({ code: 'source-unavailable', skill: 'billing' });
    const refusing: SkillProvider = { ...source(), readResource: () => Promise.reject(new SkillError('limit-exceeded', 'Too large.')) };
    await expect(createSkillLock(refusing)).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('GOV-9: pins no other version than the one that is listed', async () => {
    const newestOnly: SkillProvider = { ...source(), getSkill: (name, options) => source().getSkill(name, { signal: options?.signal }) };
    await expect(createSkillLock(newestOnly)).rejects.toMatchObject({
      code: 'source-unavailable',
      skill: 'billing',
      message: expect.stringContaining('billing@1.2.0') as string,
    });
  });

  it('CON-1: gives up with the signal’s reason', async () => {
    const reason = new Error('enough');
    await expect(createSkillLock(source(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('the lock as a file', () => {
  it('GOV-9: is written the same for the same skills, one digest a line, and read back as it was', async () => {
    const lock = await createSkillLock(source());
    const text = serializeSkillLock(lock);
    expect(text).toBe(
      serializeSkillLock({
        lockVersion: 1,
        skills: [...lock.skills].reverse().map((skill) => ({ ...skill, files: Object.fromEntries(Object.entries(skill.files).reverse()) })),
      }),
    );
    expect(parseSkillLock(text)).toEqual(lock);
    expect(parseSkillLock(JSON.parse(text))).toEqual(lock);
    expect(text.endsWith('}\n')).toBe(true);
    const other = serializeSkillLock(
      await createSkillLock(source(change('billing', '1.2.0', { resources: { 'references/policy.md': 'Other', 'a.md': 'A' } }))),
    );
    const [before, after] = [text.split('\n'), other.split('\n')];
    expect(before.filter((line, index) => line !== after[index]).map((line) => line.trim().split(':')[0])).toEqual([
      '"digest"',
      '"references/policy.md"',
    ]);
  });

  it('GOV-9: carries names that JSON and objects find odd', async () => {
    const odd = source([
      { name: '__proto__', ...base, resources: { __proto__x: '', 'é "quoted".md': 'x', constructor: '' } },
      { name: 'a@b', ...base, version: '1' },
    ]);
    const lock = await createSkillLock(odd);
    expect(parseSkillLock(serializeSkillLock(lock))).toEqual(lock);
    expect((await diffSkillLock(parseSkillLock(serializeSkillLock(lock)), odd)).same).toBe(true);
  });

  const hex = 'a'.repeat(64);
  const entry = { name: 'a', version: null, source: 's', digest: hex, frontmatter: hex, body: hex, files: { 'SKILL.md': hex } };
  const plugin = { name: 'p', version: null, source: 's', digest: hex, servers: {}, files: { 'plugin.json': hex } };
  const signer = { id: 'i', name: 'n', fingerprint: hex };
  const whole: SkillLock = {
    lockVersion: 1,
    skills: [
      entry,
      { ...entry, name: 'b', version: '1', signer, files: { ...entry.files, 'a.md': hex } },
      { ...entry, name: 'c', signer: null },
    ],
    plugins: [plugin, { ...plugin, name: 'q', version: '2', servers: { db: 'digest' } }],
  };
  const refusalOf = (value: unknown): string => {
    try {
      // What may be left out is read back as it was.
      expect(JSON.parse(serializeSkillLock(parseSkillLock(value)))).toEqual(value);
      return 'none';
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'invalid-options', message: expect.stringContaining('Restore the file') as string });
      return (thrown as Error).message;
    }
  };
  it('GOV-9: is read back as it was, and names the one field that is wrong', () => {
    expect(refusalOf(whole)).toBe('none');
    const taken = new Set<string>();
    for (const { place, above, given, value } of oneFieldBroken(whole)) {
      const message = refusalOf(value);
      if (message === 'none') taken.add(`${place.replace(/\[\d\]/, '[]')} ${given}`);
      else
        expect(
          [place, above].some((told) => message.includes(`: ${told} `)),
          `${place}: ${given}`,
        ).toBe(true);
    }
    expect([...taken]).toEqual([
      'skills[] nothing',
      'skills[].version "no such text"',
      'skills[].version null',
      'skills[].files["a.md"] nothing',
      'skills[].signer nothing',
      'skills[].signer null',
      'skills[].signer.fingerprint null',
      'plugins nothing',
      'plugins[] nothing',
      'plugins[].version "no such text"',
      'plugins[].files["plugin.json"] nothing',
      'plugins[].version null',
      'plugins[].servers.db nothing',
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{"lockVersion": 1,', /it is no JSON/],
    ['a merge conflict', '{\n<<<<<<< ours\n', /marks of a merge conflict/],
    ['a list', [], /it is no object/],
    ['a later version', { lockVersion: 2, skills: [] }, /lockVersion is 2/],
    ['no name', { lockVersion: 1, skills: [{ ...entry, name: '' }] }, /skills\[0\]\.name is ""/],
    [
      'a damaged file digest',
      { lockVersion: 1, skills: [{ ...entry, files: { 'a.md': hex.toUpperCase() } }] },
      /skills\[0\]\.files\["a\.md"\]/,
    ],
    ['a hostile path', { lockVersion: 1, skills: [{ ...entry, files: { '../a': hex } }] }, /"\.\.\/a", which is no path/],
    ['a skill twice', { lockVersion: 1, skills: [entry, entry] }, /has a twice/],
    ['a plugin twice', { lockVersion: 1, skills: [], plugins: [plugin, plugin] }, /has "p" twice/],
  ])('GOV-9: says where it is damaged: %s (ATK-94)', (_what, value, message) => {
    const error = (() => {
      try {
        return parseSkillLock(value);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toMatchObject({ code: 'invalid-options', message: expect.stringMatching(message) as string });
    expect((error as Error).message).toMatch(/Restore the file/);
  });
});

describe('diffSkillLock', () => {
  it('GOV-9: is empty where nothing changed, whatever the order in which things are defined', async () => {
    const lock = await createSkillLock(source());
    expect(await diffSkillLock(lock, source(skills.toReversed()))).toEqual({
      same: true,
      text: '',
      added: [],
      removed: [],
      changed: [],
      plugins: { added: [], removed: [], changed: [] },
    });
  });

  it('PLG-9: compares plugins, and shows by name what a server is now', async () => {
    const hex = (digit: string) => digit.repeat(64);
    const plugin = (name: string, fields: Partial<LockedPlugin> = {}): LockedPlugin => ({
      name,
      version: '1.0.0',
      source: 'acme',
      digest: hex('a'),
      servers: { constructor: 'node a.js' },
      files: { 'plugin.json': hex('a'), 'mcp.json': hex('b') },
      ...fields,
    });
    const lock = (...plugins: LockedPlugin[]) => ({ lockVersion: 1 as const, skills: [], plugins });
    expect((await diffSkillLock(lock(plugin('same')), lock(plugin('same')))).same).toBe(true);
    const now = lock(
      plugin('new'),
      plugin('changed', { version: '1.1.0', servers: { mail: 'sh\u001b[2J' }, files: { 'plugin.json': hex('c'), 'bin/mail': hex('d') } }),
    );
    const diff = await diffSkillLock(lock(plugin('changed'), plugin('gone')), now);
    expect(diff.same).toBe(false);
    expect(diff.text.split('\n')).toEqual([
      '+ plugin new@1.0.0 (acme)',
      '    server constructor is node a.js',
      '- plugin gone@1.0.0 (acme)',
      '~ plugin changed: version 1.1.0, pinned as 1.0.0, server mail, server constructor, plugin.json, +bin/mail, -mcp.json',
      '    server mail is sh\uFFFD[2J',
      '    server constructor was node a.js, is gone',
    ]);
    const broken = lock(plugin('broken'));
    await expect(diffSkillLock(broken, source([]), { plugins: [] })).rejects.toMatchObject({ code: 'digest-mismatch' });
  });

  it('GOV-9: shows what was added, removed and changed, down to the files', async () => {
    const lock = await createSkillLock(source());
    const now = source([
      { ...skills[0]!, description: 'Does another thing.' },
      { ...skills[1]!, body: 'Do it twice.', resources: { 'a.md': 'B', 'scripts/new.sh': 'rm' } },
      { ...skills[2]!, version: '1.11.0' },
    ]);
    const diff = await diffSkillLock(lock, now);
    expect(diff).toMatchObject({
      same: false,
      added: [{ name: 'billing', version: '1.11.0', source: 'acme' }],
      removed: [{ name: 'billing', version: '1.10.0', source: 'acme' }],
      changed: [
        {
          name: 'billing',
          version: '1.2.0',
          frontmatter: false,
          body: true,
          files: { added: ['scripts/new.sh'], removed: ['references/policy.md'], changed: ['SKILL.md', 'a.md'] },
        },
        { name: 'search', frontmatter: true, body: false, files: { added: [], removed: [], changed: ['SKILL.md'] } },
      ],
    });
    expect(diff.text.split('\n')).toEqual([
      '+ billing@1.11.0 (acme)',
      '- billing@1.10.0 (acme)',
      '~ billing@1.2.0: body, SKILL.md, a.md, +scripts/new.sh, -references/policy.md',
      '~ search: frontmatter, SKILL.md',
    ]);
  });

  it('GOV-9: shows a skill that comes from elsewhere now, though it is the same', async () => {
    const diff = await diffSkillLock(await createSkillLock(source()), source(skills, 'mirror'));
    expect(diff.changed.map(({ name, source: where }) => [name, where])).toEqual(
      ['billing', 'billing', 'search'].map((name) => [name, { pinned: 'acme', now: 'mirror' }]),
    );
    expect(diff.text).toContain('~ search: now from "mirror", pinned from "acme"');
  });

  it('GOV-9: a lock whose digest is not that of its parts is refused', async () => {
    const lock = await createSkillLock(source());
    const edited = { ...lock, skills: lock.skills.map((skill) => ({ ...skill, files: { ...skill.files, 'extra.md': '0'.repeat(64) } })) };
    await expect(diffSkillLock(edited, source())).rejects.toMatchObject({
      code: 'digest-mismatch',
      message: expect.stringContaining('contradicts itself') as string,
    });
  });

  it('GOV-9: names that would fool a terminal are made harmless', async () => {
    const lock = await createSkillLock(source([]));
    const { text } = await diffSkillLock(lock, source([{ name: 'a\u001B[2J\n- b\u202E', ...base }]));
    expect(text).toBe('+ a\uFFFD[2J\uFFFD- b\uFFFD (acme)');
  });
});
