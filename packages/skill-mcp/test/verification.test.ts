import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, skillAllowedTools } from '@repertoire/skills-core';
import { mcpSkillProvider, type McpSkillProviderOptions } from '../src/index.ts';
import { connectInMemory } from './support/connect.ts';
import { library, skillServer, type ServedLibrary, type SkillEntry } from './support/skill-server.ts';

const files = {
  'billing/SKILL.md': '---\nname: billing\ndescription: Refunds orders.\nallowed-tools: Bash(rm:*)\n---\nRead references/policy.md.\n',
  'billing/references/policy.md': 'Within 30 days.\n',
  'other/SKILL.md': '---\nname: other\ndescription: Something else.\n---\nBody.\n',
};

async function read(change: Partial<ServedLibrary> = {}, options: Partial<McpSkillProviderOptions> = {}) {
  const served: ServedLibrary = { ...library(files), ...change };
  const { client } = await connectInMemory(skillServer(served));
  return { served, client, provider: mcpSkillProvider({ label: 'crm', client, ...options }) };
}

/** Changes one entry. */
function changed(name: string, change: (entry: SkillEntry) => unknown): Pick<ServedLibrary, 'entry'> {
  return { entry: (entry) => (entry.uri === `skill://${name}/SKILL.md` ? change(entry) : entry) };
}

const codesOf = async ({ provider }: Awaited<ReturnType<typeof read>>) =>
  (await provider.listSkills()).diagnostics.map(({ code, skill }) => `${code} ${skill ?? ''}`);

describe('SRC-6: what the extension asks of hosts', () => {
  it('SRC-6, host/lazy: listing reads nothing, and loading reads SKILL.md only', async () => {
    const { served, provider } = await read();
    await provider.listSkills();
    expect(served.reads).toEqual([]);
    await provider.getSkill('billing');
    expect(served.reads).toEqual(['billing/SKILL.md#body']);
  });

  it.each([
    ['another digest of the same size', (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1)],
    ['another size', (bytes: Uint8Array) => bytes.slice(1)],
    ['more bytes than were promised', (bytes: Uint8Array) => new Uint8Array([...bytes, 10])],
  ])('SRC-6, host/bytes: refuses a file with %s, each time it is read', async (_what, bytes) => {
    const { provider } = await read({ bytes: (uri, original) => (uri.endsWith('policy.md') ? bytes(original) : original) });
    for (const maxBytes of [1, 100]) {
      await expect(provider.readResource('billing', 'references/policy.md', { maxBytes })).rejects.toMatchObject({
        code: 'digest-mismatch',
      });
    }
    expect((await provider.getSkill('other'))?.body).toBe('Body.');
  });

  it('SRC-6, host/frontmatter: refuses a skill whose frontmatter is not the promised one, though its digest is right', async () => {
    const { provider } = await read(
      changed('billing', (entry) => ({ ...entry, frontmatter: { name: 'billing', description: 'Harmless.' } })),
    );
    await expect(provider.getSkill('billing')).rejects.toMatchObject({ code: 'digest-mismatch', skill: 'billing' });
  });

  it('SRC-6, host/unlisted: a file that the entry does not list is unknown, and is not asked for', async () => {
    const { served, provider } = await read(
      changed('billing', (entry) => ({
        ...entry,
        resources: (entry.resources as { uri: string }[]).filter(({ uri }) => uri.endsWith('SKILL.md')),
      })),
    );
    expect(await provider.readResource('billing', 'references/policy.md')).toBeNull();
    expect(served.reads).toEqual([]);
  });

  it('SRC-6, host/renewal: a skill that changed without notice is served as it is now, level 1 and all', async () => {
    const { served, provider } = await read({}, { minFreshMs: 1_000_000 });
    await provider.listSkills();
    served.files = { ...files, 'billing/SKILL.md': '---\nname: billing\ndescription: New words.\n---\nNew body.\n' };
    expect(await provider.getSkill('billing')).toMatchObject({ description: 'New words.', body: 'New body.' });
    expect((await provider.listSkills()).skills[0]?.description).toBe('New words.');
    served.files = { 'other/SKILL.md': files['other/SKILL.md'] };
    expect(await provider.getSkill('billing')).toBeNull();
  });

  it.each<[string, string, (entry: SkillEntry) => unknown]>([
    ['no list of files', 'entry-invalid', ({ resources: _resources, ...entry }) => entry],
    ['a list without SKILL.md', 'entry-invalid', (entry) => ({ ...entry, resources: [] })],
    [
      'a file elsewhere',
      'entry-invalid',
      (entry) => ({
        ...entry,
        resources: [...entry.resources, { uri: 'skill://other/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: 1 }],
      }),
    ],
    [
      'a file by a path that climbs',
      'entry-invalid',
      (entry) => ({
        ...entry,
        resources: [...entry.resources, { uri: 'skill://billing/%2e%2e/x', digest: `sha256:${'0'.repeat(64)}`, size: 1 }],
      }),
    ],
    [
      'a file without a digest',
      'entry-invalid',
      (entry) => ({ ...entry, resources: (entry.resources as object[]).map((file) => ({ ...file, digest: undefined })) }),
    ],
    ['no frontmatter', 'entry-invalid', ({ frontmatter: _frontmatter, ...entry }) => entry],
    [
      'more bytes than the limit',
      'skill-too-large',
      (entry) => ({ ...entry, resources: (entry.resources as object[]).map((file) => ({ ...file, size: 2 ** 30 })) }),
    ],
    [
      'more files than the limit',
      'skill-too-large',
      (entry) => ({ ...entry, resources: Array.from({ length: 513 }, () => entry.resources[0]) }),
    ],
    [
      'a huge frontmatter',
      'entry-too-large',
      (entry) => ({ ...entry, frontmatter: { name: 'billing', description: 'x', metadata: { a: 'x'.repeat(70_000) } } }),
    ],
  ])('SRC-6, host/entry, host/limits: leaves out an entry with %s, in either profile, and nothing else', async (_what, code, change) => {
    for (const profile of ['strict', 'lenient'] as const) {
      const made = await read(changed('billing', change), { profile });
      expect((await made.provider.listSkills()).skills.map(({ name }) => name)).toEqual(['other']);
      expect(await codesOf(made)).toEqual([`${code} billing`]);
    }
  });

  it('SRC-6: reports what strict validators refuse, with the reason, and loads it where the host allows lenient entries', async () => {
    const odd = {
      'My_Skill/SKILL.md': '---\nname: My_Skill\ndescription: Odd.\nmetadata:\n  tags: [a, b]\n---\nBody.\n',
      'named/SKILL.md': '---\nname: unlike\ndescription: Odd too.\n---\nBody.\n',
    };
    const strict = await read({ files: odd });
    expect((await strict.provider.listSkills()).skills).toEqual([]);
    expect((await strict.provider.listSkills()).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/name "My_Skill" is not 1 to 64.*metadata is not a map of text/),
      expect.stringContaining('name "unlike" is not that of the folder, "named"'),
    ]);
    const lenient = await read({ files: odd }, { profile: 'lenient' });
    expect((await lenient.provider.listSkills()).skills.map(({ name }) => name)).toEqual(['My_Skill', 'unlike']);
    expect(await lenient.provider.getSkill('My_Skill')).toMatchObject({ body: 'Body.', metadata: { tags: '["a","b"]' } });
    expect(await codesOf(lenient)).toEqual(expect.arrayContaining(['name-directory-mismatch unlike', 'metadata-not-text My_Skill']));
  });

  it('SRC-6, host/identity: a skill is its URI: two of one name are both there, and neither hides the other', async () => {
    const entry = (path: string, description: string) => ({
      uri: `skill://${path}/SKILL.md`,
      frontmatter: { name: 'billing', description },
      resources: 'dynamic',
    });
    const skills = [entry('shop/billing', 'B.'), entry('crm/billing', 'A.'), entry('shop/billing', 'B.')];
    const provider = mcpSkillProvider({ client: { extension: () => ({}), request: async () => ({ skills }) } });
    expect((await provider.listSkills()).skills.map(({ name, description, origin }) => [name, description, origin?.uri])).toEqual([
      ['crm/billing', 'A.', 'skill://crm/billing/'],
      ['shop/billing', 'B.', 'skill://shop/billing/'],
    ]);
    expect((await provider.listSkills()).diagnostics.filter(({ code }) => code === 'skill-renamed')).toHaveLength(2);
  });

  it('SRC-6: an entry that is there twice, and not the same, is not used', async () => {
    const entry = (description: string) => ({
      uri: 'skill://billing/SKILL.md',
      frontmatter: { name: 'billing', description },
      resources: 'dynamic',
    });
    const provider = mcpSkillProvider({ client: { extension: () => ({}), request: async () => ({ skills: [entry('A.'), entry('B.')] }) } });
    expect((await provider.listSkills()).skills).toEqual([]);
    expect((await provider.listSkills()).diagnostics.map(({ code }) => code)).toContain('entry-duplicate');
  });

  it('PIN-7, GOV-6, host/origin, host/grants: origin and distrust are written into what the model reads, and grants are inert unless the host trusts the server (ATK-205)', async () => {
    const decisions: string[] = [];
    for (const trusted of [false, true]) {
      const { provider } = await read({}, { trusted });
      const session = await createSkillset({ provider, allowedTools: skillAllowedTools({ policy: 'pre-approve' }) }).open();
      const { text, events } = await session.load({ name: 'billing' }, { state: emptySkillState });
      expect(text).toContain('source="crm"');
      expect(text.includes('trust="untrusted"')).toBe(!trusted);
      const state = session.apply(emptySkillState, events);
      decisions.push((await session.judgeCall(state, { tool: 'Bash', command: 'rm -rf /' })).decision);
    }
    expect(decisions).toEqual(['allowed', 'pre-approved']);
  });

  it('SRC-6, host/limits: takes a skill of 512 files and 16 MiB', async () => {
    const size = 16_777_216 / 512;
    const many = Object.fromEntries(Array.from({ length: 511 }, (_, index) => [`large/files/${index}.bin`, new Uint8Array(size)]));
    const text = '---\nname: large\ndescription: As large as can be.\n---\n';
    const { provider } = await read({ files: { ...many, 'large/SKILL.md': text + 'x'.repeat(size - text.length) } });
    const skill = await provider.getSkill('large');
    expect(skill?.resources).toHaveLength(511);
    expect((await provider.readResource('large', 'files/510.bin'))?.bytes).toHaveLength(size);
    expect((await provider.listSkills()).diagnostics).toEqual([]);
  });

  it('SRC-6, host/negotiation: asks for skills only where the server declared the extension', async () => {
    for (const [settings, method] of [
      [undefined, 'resources/list'],
      [{}, 'skills/list'],
    ] as const) {
      const asked: string[] = [];
      const request = async (name: string) => {
        asked.push(name);
        return { skills: [], resources: [] };
      };
      await mcpSkillProvider({ client: { extension: () => settings, request } }).listSkills();
      expect(asked).toEqual([method]);
    }
  });

  it('SRC-6: a dynamic skill is read without promises, its files are found by its folders, and it says verified: false', async () => {
    const made = await read(changed('billing', (entry) => ({ ...entry, resources: 'dynamic' })));
    const skill = await made.provider.getSkill('billing');
    expect(skill?.origin).toMatchObject({ verified: false });
    expect(skill?.resources.map(({ path, digest }) => [path, digest])).toEqual([['references/policy.md', undefined]]);
    expect((await made.provider.readResource('billing', 'references/policy.md'))?.digest).toBeUndefined();
    expect(await made.provider.readResource('billing', '../other/SKILL.md')).toBeNull();
    expect(await codesOf(made)).toEqual(['skill-unverified billing']);
  });

  it('SRC-6: reads a skill that the server has but does not list', async () => {
    const hidden = await read({}, { uris: ['skill://billing/SKILL.md', 'skill://nothing/SKILL.md'] });
    expect((await hidden.provider.listSkills()).skills.map(({ name }) => name)).toEqual(['billing', 'other']);
    expect(await codesOf(hidden)).toEqual(['skill-missing ']);
  });

  it('SRC-6: says which option is wrong', () => {
    expect(() => mcpSkillProvider({ client: { extension: () => ({}), request: async () => ({}) }, timeoutMs: 0 })).toThrow(
      'Option "timeoutMs" of mcpSkillProvider is 0. Give a number of at least 1.',
    );
    expect(() => mcpSkillProvider({} as never)).toThrow('got no client');
  });
});
