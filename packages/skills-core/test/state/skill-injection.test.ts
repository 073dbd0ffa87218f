import { describe, expect, it } from 'vitest';
import { createSkillset, emptySkillState, SkillRegistry } from '@repertoire/skills-core';
import { loadedSkillNames, skillInjectionTag, skillStateFromTranscript, withdrawSkillText } from '@repertoire/skills-core/adapter';

const skillset = createSkillset({ provider: new SkillRegistry({ skills: [{ name: 'a"b', description: 'A.', body: 'Do it.' }] }) });

const loadedIn = (...transcript: Parameters<typeof skillStateFromTranscript>) => loadedSkillNames(skillStateFromTranscript(...transcript));

describe('skill injection', () => {
  it('DIS-5: the result that carries instructions is marked, others are not', async () => {
    const [load] = (await skillset.open()).tools;
    const loaded = await load?.execute({ name: 'a"b' }, { state: emptySkillState });
    expect(skillInjectionTag(loaded?.events ?? [])).toEqual({ skillInjection: true, skillIds: ['a"b'] });
    expect(skillInjectionTag([{ type: 'unloaded', name: 'a' }])).toBeNull();
    expect(loadedIn([{ tool: 'load_skill', input: {}, output: loaded?.text ?? '' }])).toEqual(['a"b']);
  });

  it('DIS-6: the text of an unloaded skill can be taken out, and then loads nothing', async () => {
    const [load] = (await skillset.open()).tools;
    const withdrawn = withdrawSkillText((await load?.execute({ name: 'a"b' }, { state: emptySkillState }))?.text ?? '');
    expect(withdrawn).toMatch(
      /^<skill_content name="a&quot;b" source="code" revision="[\w-]{22}" withdrawn="true">\nThe instructions of skill "a\\"b" that were here are void and were removed\.\n<\/skill_content>$/,
    );
    expect(loadedIn([{ tool: 'load_skill', input: {}, output: withdrawn }])).toEqual([]);
    expect(withdrawSkillText('Something else.')).toBe('Something else.');
  });
});
