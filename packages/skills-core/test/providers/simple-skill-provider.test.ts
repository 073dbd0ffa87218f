import { createSkillset, emptySkillState, skillAllowedTools } from '@repertoire/skills-core';
import { simpleSkillProvider, type SimpleSkillSource } from '@repertoire/skills-core/provider';
import { describe, expect, it } from 'vitest';

const source: SimpleSkillSource = {
  listSkills: async () => [
    { name: 'b', description: 'B.' },
    { name: 'a', description: 'A.' },
  ],
  getSkill: async (name) =>
    name === 'a' ? { name, description: 'A.', body: 'Body', resources: [{ path: 'references/x.md' }, { path: '../y.md' }] } : null,
  readResource: async (_, path) => (path === 'references/x.md' ? 'text' : null),
};

describe('simpleSkillProvider', () => {
  it('CON-1: gives listings, skills and files in the form of the contract', async () => {
    const provider = simpleSkillProvider(source, { label: 'theirs' });
    const { skills, complete } = await provider.listSkills();
    expect([skills.map(({ name }) => name), complete]).toEqual([['a', 'b'], true]);
    const skill = await provider.getSkill('a');
    expect(skill).toMatchObject({ body: 'Body', version: null, content: null, origin: { label: 'theirs', trusted: false } });
    expect(skill?.resources.map(({ path }) => path)).toEqual(['references/x.md']);
    expect([await provider.getSkill('nope'), await provider.getSkill('a', { version: '1.0.0' })]).toEqual([null, null]);
    const file = await provider.readResource('a', 'references/x.md', { maxBytes: 2 });
    expect([new TextDecoder().decode(file?.bytes), file?.size]).toEqual(['te', 4]);
    for (const path of ['../y.md', 'SKILL.md', 'other.md']) expect(await provider.readResource('a', path)).toBeNull();
  });

  it('CON-1, GOV-3: keeps the fields of a foreign skill, and leaves out one whose restriction it cannot read', async () => {
    const theirs = {
      license: 'MIT',
      compatibility: 'Node 24',
      metadata: { team: 'docs' },
      allowedTools: 'Read, Bash(git add *)',
      version: '2.0.0',
      origin: { kind: 'simple', label: 'ours', trusted: true },
    };
    const foreign = async (fields: object) => {
      const skill = { name: 'pdf', description: 'P.', body: 'B.', ...fields };
      const provider = simpleSkillProvider(
        { listSkills: async () => [skill], getSkill: async () => skill },
        { label: 'theirs', trusted: true },
      );
      return { provider, listed: (await provider.listSkills()).skills, got: await provider.getSkill('pdf') };
    };
    const kept = {
      ...theirs,
      allowedTools: ['Read', 'Bash(git add *)'],
      version: null,
      origin: { kind: 'simple', label: 'theirs', trusted: true },
    };
    const { provider, listed, got } = await foreign(theirs);
    expect([listed[0], got]).toEqual([{ name: 'pdf', description: 'P.', ...kept }, expect.objectContaining(kept) as object]);
    const session = await createSkillset({ provider, allowedTools: skillAllowedTools({ policy: 'restrict' }) }).open();
    const state = session.apply(emptySkillState, (await session.load({ name: 'pdf' }, { state: emptySkillState })).events);
    expect((await session.judgeCall(state, { tool: 'Write', input: {} })).decision).toBe('denied');
    for (const allowed of [{ allowedTools: { Read: true } }, { 'allowed-tools': 'Bash(git add' }, { allowedTools: ['Read', 1] }])
      expect([(await foreign(allowed)).listed, (await foreign(allowed)).got]).toEqual([[], null]);
  });

  it('CON-7: tells what it left out, and fails in words', async () => {
    const bad = simpleSkillProvider({ ...source, listSkills: async () => [{ name: 'a', description: '' }] }, { label: 'theirs' });
    expect(await bad.listSkills()).toMatchObject({ skills: [], complete: false, diagnostics: [{ code: 'definition-unusable' }] });
    const none = simpleSkillProvider({ ...source, listSkills: async () => null as never }, { label: 'theirs' });
    await expect(createSkillset({ provider: none }).open()).rejects.toThrow('listSkills must return [{ name, description }]');
    expect(() => simpleSkillProvider({} as never, { label: 'theirs' })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(simpleSkillProvider(source, { label: 'x' }).listSkills({ signal })).rejects.toThrow('gone');
  });
});
