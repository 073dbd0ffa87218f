import { expect, it } from 'vitest';
import { SkillError } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/internal';

const rules = { of: 'sqliteSkillProvider', fallback: 5, least: 1 };

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (SkillError.isInstance(error) && error.code === 'invalid-options') return error.message;
    throw error;
  }
  return '';
}

it('CON-1: an option that was left out has its default, which need not be in range', () => {
  expect(numberOption('staleAfterMs', undefined, rules)).toBe(5);
  expect(numberOption('staleAfterMs', undefined, { ...rules, fallback: Number.POSITIVE_INFINITY, most: 9, whole: true })).toBe(
    Number.POSITIVE_INFINITY,
  );
});

it('CON-1: takes numbers from the least to the most, and without a most also Infinity', () => {
  for (const value of [1, 1.5, Number.POSITIVE_INFINITY]) expect(numberOption('staleAfterMs', value, rules)).toBe(value);
  for (const value of [1, 9]) expect(numberOption('keep', value, { ...rules, most: 9, whole: true })).toBe(value);
});

it.each([
  ['a number below the least', 0, {}, 'Option "limits.files" of sqliteSkillProvider is 0. Give a number of at least 1.'],
  ['no number', Number.NaN, {}, 'Option "limits.files" of sqliteSkillProvider is NaN. Give a number of at least 1.'],
  ['text', '10' as never, {}, 'Option "limits.files" of sqliteSkillProvider is "10". Give a number of at least 1.'],
  ['null', null as never, {}, 'Option "limits.files" of sqliteSkillProvider is null. Give a number of at least 1.'],
  ['a number above the most', 10, { most: 9 }, 'Option "limits.files" of sqliteSkillProvider is 10. Give a number from 1 to 9.'],
  ['a fraction', 1.5, { whole: true }, 'Option "limits.files" of sqliteSkillProvider is 1.5. Give a whole number of at least 1.'],
  [
    'Infinity where it has to be whole',
    Number.POSITIVE_INFINITY,
    { whole: true, most: 9 },
    'Option "limits.files" of sqliteSkillProvider is Infinity. Give a whole number from 1 to 9.',
  ],
])('CON-1: refuses %s, and says what to give', (_what, value, more, message) => {
  expect(messageOf(() => numberOption('limits.files', value, { ...rules, ...more }))).toBe(message);
});
