import { groupBySkillDirectory } from '@repertoire/skills-testkit';
import { everydayLibrary } from '../src/fixtures/everyday-library.ts';
import { describe, expect, it } from 'vitest';

describe('CON-4: groupBySkillDirectory', () => {
  it('splits a library into its skills', () => {
    const groups = groupBySkillDirectory(everydayLibrary);
    expect([...groups.keys()]).toEqual(['invoice-check', 'release-notes', 'travel-plans']);
    expect(Object.keys(groups.get('invoice-check') ?? {}).sort()).toEqual([
      'SKILL.md',
      'assets/letter.txt',
      'references/policy.md',
      'scripts/compare.py',
    ]);
    expect(groups.get('travel-plans')?.['SKILL.md']).toBe(everydayLibrary['travel-plans/SKILL.md']);
  });

  it('takes names of prototypes for names, and files beside the skills for none', () => {
    const groups = groupBySkillDirectory({ 'readme.md': '', '/rooted.md': '', '__proto__/__proto__': 'a', 'constructor/SKILL.md': 'b' });
    expect([...groups.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.entries(groups.get('__proto__') ?? {})).toEqual([['__proto__', 'a']]);
  });
});
