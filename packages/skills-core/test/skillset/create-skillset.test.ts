import { describe, expect, it } from 'vitest';
import { createSkillset, SkillRegistry } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';

const skills = [
  { name: 'beta', description: 'Does beta. Use for beta.', body: 'Do beta.' },
  { name: 'alpha', description: 'Does alpha. Use for alpha.', body: 'Do alpha.' },
];

describe('createSkillset', () => {
  it('DIS-1: no skills give no text and no tools', async () => {
    const skillset = createSkillset({ skills: [] });
    const session = await skillset.open();
    expect(session.catalog).toEqual({
      skills: [],
      listed: [],
      text: '',
      toolText: '',
      tokens: 0,
      cut: { shortened: [], nameOnly: [], dropped: [] },
    });
    expect(session.tools).toEqual([]);
    expect(session.instructions('Be kind.')).toBe('Be kind.');
    expect(session.instructions()).toBe('');
  });

  it('DIS-1: the catalog is sorted, stands behind the base, and is the same to the byte each time', async () => {
    const skillset = createSkillset({ skills });
    const session = await skillset.open();
    const [first, second] = [session.catalog, (await skillset.open()).catalog];
    expect(first.text).toBe(second.text);
    expect(first.skills.map((skill) => skill.name)).toEqual(['alpha', 'beta']);
    expect(session.instructions('Be kind. $&')).toBe(`Be kind. $&\n\n${first.text}`);
    expect(first.tokens).toBeGreaterThan(40);
    expect(first.tokens).toBeLessThan(first.text.length / 2);
  });

  it('CON-8: the newest version of a name stands in the catalog once', async () => {
    const session = await createSkillset({
      skills: ['1.0.0', '2.0.0'].map((version) => ({ ...skills[0]!, version, description: version })),
    }).open();
    expect(session.catalog.skills.map((skill) => skill.version)).toEqual(['2.0.0']);
    expect(session.catalog.listed).toHaveLength(2);
  });

  it('DIS-3: the size of the tools does not grow with the number of skills', async () => {
    const many = createSkillset({ skills: Array.from({ length: 500 }, (_, index) => ({ ...skills[0]!, name: `skill-${index}` })) });
    const few = createSkillset({ skills });
    const size = async (skillset: typeof many) => JSON.stringify((await skillset.open()).tools).length;
    expect(await size(many)).toBe(await size(few));
  });

  it('refuses to be made without a source, or with two', () => {
    expect(() => createSkillset({})).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    expect(() => createSkillset({ skills, provider: new SkillRegistry({ skills }) })).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    );
  });

  it('CON-1: a source that cannot answer rejects the catalog; an abort gives its reason', async () => {
    const provider = { ...fixedSkillProvider([]), listSkills: () => Promise.reject(new Error('down')) };
    await expect(createSkillset({ provider }).open()).rejects.toThrow('down');
    const reason = new Error('stop');
    await expect(createSkillset({ skills }).open({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
