import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillMetadata } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { budgetCatalog } from '../../src/catalog/budget-catalog.ts';
import { catalogWriter, summaryOf } from '../../src/catalog/render-catalog.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

const writer = catalogWriter({ format: 'xml', guidance: 'Skills.', names: defaultSkillToolNames, finders: [] });

/** Counters that differ in what a character costs, and in where a text costs much. */
const counters: Readonly<Record<string, (text: string) => number>> = {
  words: (text) => text.split(/\s+/).length,
  'four characters': (text) => Math.ceil(text.length / 4),
  'three a character': (text) => text.length * 3,
  'dear letters': (text) => [...text].reduce((sum, character) => sum + (character > 'm' ? 2 : 0.1), 0),
  'dear ends': (text) => Math.ceil(text.length / 5) + (text.match(/z/g)?.length ?? 0) * 7,
};

const library = fc.uniqueArray(fc.stringMatching(/^[a-z]{2,10}$/), { minLength: 1, maxLength: 30 }).chain((names) =>
  fc.tuple(
    ...names.toSorted().map((name) =>
      fc.record({
        name: fc.constant(name),
        version: fc.constant(null),
        description: fc
          .array(fc.constantFrom('zoom', 'deploys', 'apps.', 'Use', 'when', 'z'), { maxLength: 30 })
          .map((words) => `d ${words.join(' ')}`),
        origin: fc.boolean().map((trusted) => ({ kind: 'fs', label: 'x', trusted })),
      }),
    ),
  ),
);

describe('a budget in tokens, whatever counts them', () => {
  it.each(Object.keys(counters))('DIS-2: %s: never over it, and what fits is not touched', (name) => {
    const countTokens = counters[name] as (text: string) => number;
    fc.assert(
      fc.property(library, fc.integer({ min: 1, max: 1_500 }), (skills: readonly SkillMetadata[], maxTokens) => {
        const result = budgetCatalog(skills, { maxTokens, countTokens }, writer);
        expect(result.tokens).toBe(countTokens(result.text));
        const least = countTokens(writer.whole([], skills.length));
        if (least <= maxTokens) expect(result.tokens).toBeLessThanOrEqual(maxTokens);
        const whole = writer.whole(
          skills.map((skill) => writer.line(skill, summaryOf(skill), false)),
          0,
        );
        // Beside trusted skills there is always room for the sentence on those that are not listed.
        const reserved = writer.whole(
          skills.map((skill) => writer.line(skill, summaryOf(skill), false)),
          100_000,
        );
        if (countTokens(reserved) <= maxTokens) expect(result.text).toBe(whole);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('DIS-2: trusted skills leave room for the sentence that tells how many others there are', () => {
    const countTokens = counters['four characters'] as (text: string) => number;
    const skill = (name: string, trusted: boolean): SkillMetadata => ({
      name,
      version: null,
      description: `${'Does much. '.repeat(8)}Use when ${name} is asked for.`,
      origin: { kind: 'fs', label: 'x', trusted },
    });
    const own = Array.from({ length: 20 }, (_, index) => skill(`own-${String(index).padStart(2, '0')}`, true));
    const others = Array.from({ length: 50 }, (_, index) => skill(`z-${index}`, false));
    for (let maxTokens = 60; maxTokens < 700; maxTokens += 1) {
      const { tokens, text } = budgetCatalog([...own, ...others], { maxTokens, countTokens }, writer);
      const alone = budgetCatalog(own, { maxTokens, countTokens }, writer);
      expect([maxTokens, tokens <= maxTokens]).toEqual([maxTokens, true]);
      for (const line of alone.text.split('\n').filter((one) => one.includes('own-'))) expect(text).toContain(line);
    }
  });

  it.each(['words', 'four characters', 'three a character'])(
    'DIS-2 GOV-11: %s: where the names of trusted skills do not all fit, as many are listed as have room, and no untrusted one',
    (name) => {
      const countTokens = counters[name] as (text: string) => number;
      const skills = Array.from({ length: 30 }, (_, index): SkillMetadata => ({
        name: `${index < 15 ? 'own' : 'a'}-${String(index).padStart(2, '0')}`,
        version: null,
        description: 'Does much. Use when it is asked for.',
        origin: { kind: 'fs', label: 'x', trusted: index < 15 },
      })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const own = skills.filter(({ origin }) => origin?.trusted);
      const sizeOf = (count: number) =>
        countTokens(
          writer.whole(
            own.slice(0, count).map((skill) => writer.line(skill, '', true)),
            100_000,
          ),
        );
      for (let maxTokens = sizeOf(0); maxTokens < sizeOf(15); maxTokens += 1) {
        const { text, dropped } = budgetCatalog(skills, { maxTokens, countTokens }, writer);
        const listed = own.filter((skill) => !dropped.includes(skill.name)).length;
        expect([maxTokens, listed < 15, sizeOf(listed) <= maxTokens, sizeOf(listed + 2) > maxTokens]).toEqual([
          maxTokens,
          true,
          true,
          true,
        ]);
        expect(text).not.toMatch(/^a-/m);
      }
    },
  );

  it('DIS-2: a long catalog that just fits is not touched', () => {
    const countTokens = counters['four characters'] as (text: string) => number;
    const skills = Array.from({ length: 300 }, (_, index): SkillMetadata => ({
      name: `skill-${index}`,
      version: null,
      description: `Does case ${index}. ${'It knows the forms and whom to ask. '.repeat(3)}Use when case ${index} is asked for.`,
    }));
    const whole = writer.whole(
      skills.map((skill) => writer.line(skill, summaryOf(skill), false)),
      0,
    );
    const result = budgetCatalog(skills, { maxTokens: countTokens(whole), countTokens }, writer);
    expect(result.text).toBe(whole);
  });

  it('DIS-2: the longer form of a list is not taken for the compact one, where a counter charges for it', () => {
    const countTokens = (text: string) => text.split('<').length - 1;
    const skills = ['a', 'b', 'c'].map((name): SkillMetadata => ({ name, version: null, description: 'Does much.' }));
    const { text, tokens, fits } = budgetCatalog(skills, { maxTokens: 5, countTokens }, writer);
    expect([fits, tokens]).toEqual([true, 2]);
    expect(text).toContain('a: Does much.');
  });

  it('DIS-2: most of the budget is used where there is more to say', () => {
    const countTokens = counters['words'] as (text: string) => number;
    const skills = Array.from({ length: 200 }, (_, index): SkillMetadata => ({
      name: `skill-${index}`,
      version: null,
      description: Array.from({ length: 40 }, (__, word) => `word${(word * 7 + index) % 90}`).join(' '),
    }));
    for (const maxTokens of [500, 1_000, 2_000, 4_000, 8_000]) {
      const { tokens } = budgetCatalog(skills, { maxTokens, countTokens }, writer);
      expect(tokens).toBeLessThanOrEqual(maxTokens);
      expect(tokens).toBeGreaterThan(maxTokens * 0.8);
    }
  });
});
