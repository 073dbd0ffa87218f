import { defineSkill } from '@repertoire/skills-core';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { expect, it } from 'vitest';
import { refusedWith } from '../../../../test/support/one-field-broken.ts';

/** The longest that the standard allows, in characters as people count them. */
const longest = { name: 64, description: 1024, compatibility: 500 } as const;
const usual = { name: 'a', description: 'b', compatibility: 'c' };
/** Letters of one and of two UTF-16 units, as far as a field may have them. */
const letters: Readonly<Record<keyof typeof longest, readonly string[]>> = {
  name: ['a', '7'],
  description: ['a', 'é', '😀'],
  compatibility: ['a', 'é', '😀'],
};

for (const [field, most] of Object.entries(longest) as [keyof typeof longest, number][])
  it.each(letters[field])(`FMT-1: ${field} has up to ${most} letters %s, and not one more, in a file and in code`, async (letter) => {
    for (const profile of ['strict', 'lenient'] as const) {
      const codes = (length: number): readonly string[] => {
        const fields = { ...usual, [field]: letter.repeat(length) };
        const lines = Object.entries(fields).map(([key, text]) => `${key}: ${text}\n`);
        return parseSkillMd(`---\n${lines.join('')}---\nBody`, { directoryName: fields.name, profile }).diagnostics.map(({ code }) => code);
      };
      expect(codes(1)).toEqual([]);
      expect(codes(most)).toEqual([]);
      expect(codes(most + 1)).toEqual([`${field}-too-long`]);
    }
    const inCode = (length: number) => refusedWith(() => defineSkill({ ...usual, body: 'Body', [field]: letter.repeat(length) }));
    expect(await inCode(most)).toEqual([]);
    expect(await inCode(most + 1)).toMatchObject([{ code: 'invalid-skill', message: expect.stringContaining(field) }]);
  });
