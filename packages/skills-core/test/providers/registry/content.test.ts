import { selectSkills, SkillRegistry, type SkillDefinition, type SkillProvider } from '@repertoire/skills-core';
import { digestOfSkill, readListing, sha256Hex } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';

const skill = (more: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name: 'haiku',
  description: 'Writes haiku.',
  body: '\uFEFFFive,\r\nseven, five.\n',
  resources: { 'references/forms.md': '# Forms', 'assets/moon.bin': new Uint8Array([1, 2, 3]) },
  ...more,
});
const open = (definition: SkillDefinition): SkillRegistry => new SkillRegistry({ skills: [definition] });
const contents = async (provider: SkillProvider) => [await provider.contentOf?.('haiku'), (await provider.getSkill('haiku'))?.content];

describe('content of the skills of a registry', () => {
  it('CON-5: is the digest of all files, told before anything is read, where everything is a text or bytes', async () => {
    for (const definition of [
      skill(),
      skill({ skillMd: '---\nname: haiku\ndescription: Writes haiku.\n---\nFive.\n' }),
      skill({ resources: {} }),
    ]) {
      const provider = open(definition);
      const digest = (await digestOfSkill(provider, 'haiku'))?.digest;
      expect(await contents(provider)).toEqual([digest, digest]);
    }
    const files = (await open(skill()).getSkill('haiku'))?.resources;
    expect(files?.map(({ digest }) => digest)).toEqual([await sha256Hex(new Uint8Array([1, 2, 3])), await sha256Hex('# Forms')]);
  });

  it('CON-5: is null where a function makes a body or a file, unless a digest is told, and no function is called to find out', async () => {
    let calls = 0;
    const made = () => ((calls += 1), 'made');
    const digest = await sha256Hex('made');
    for (const definition of [skill({ body: made }), skill({ skillMd: made }), skill({ resources: { 'a.md': made } })]) {
      expect(await open(definition).contentOf?.('haiku')).toBeNull();
      expect((await open(definition).getSkill('haiku'))?.content).toBeNull();
    }
    const told = skill({ resources: { 'a.md': { size: 4, digest, read: made } } });
    calls = 0;
    const [content] = await contents(open(told));
    expect(calls).toBe(0);
    expect(content).toBe((await digestOfSkill(open(told), 'haiku'))?.digest);
    expect(await contents(open(skill({ body: made, content: digest })))).toEqual([digest, digest]);
  });

  it('CON-5: answers a place, a content and a digest only where they fit, with the bytes that were hashed', async () => {
    const moon = new Uint8Array([1, 2, 3]);
    const provider = open(skill({ resources: { 'assets/moon.bin': moon } }));
    const content = (await provider.getSkill('haiku'))?.content ?? '';
    expect(await provider.getSkill('haiku', { place: 'haiku', content })).not.toBeNull();
    expect(await provider.getSkill('haiku', { place: 'sonnet' })).toBeNull();
    expect(await provider.getSkill('haiku', { content: await sha256Hex('other') })).toBeNull();
    const digest = await sha256Hex(moon);
    const read = async () => await provider.readResource('haiku', 'assets/moon.bin', { digest, maxBytes: 2 });
    expect(await read()).toMatchObject({ bytes: new Uint8Array([1, 2]), size: 3, digest });
    expect(await provider.readResource('haiku', 'assets/moon.bin', { place: 'sonnet' })).toBeNull();
    // Whoever made the skill can still change its bytes.
    moon[0] = 9;
    expect(await read()).toBeNull();
  });

  it('CON-5: follows a registry, and a view tells it of what it shows only', async () => {
    const registry = open(skill());
    const [before] = await contents(registry);
    registry.unregister('haiku');
    expect(await registry.contentOf('haiku')).toBeUndefined();
    registry.register(skill({ body: 'Other.' }));
    const [after] = await contents(registry);
    expect(after).not.toBe(before);
    expect(await selectSkills(registry, () => true).contentOf?.('haiku')).toBe(after);
    expect(await selectSkills(registry, () => false).contentOf?.('haiku')).toBeUndefined();
    const seen: string[][] = [];
    await readListing(selectSkills(open(skill({ content: before ?? null })), (level) => (seen.push(Object.keys(level)), true)));
    expect(seen.flat()).not.toContain('content');
  });
});
