import { describe, expect, it } from 'vitest';
import type { SkillMetadata } from '../../src/contract/skill-provider.ts';
import { budgetCatalog } from '../../src/catalog/budget-catalog.ts';
import { ownWords, SummaryWords } from '../../src/catalog/own-words.ts';
import { catalogWriter } from '../../src/catalog/render-catalog.ts';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';

const writer = catalogWriter({ format: 'xml', guidance: '', names: defaultSkillToolNames, finders: [] });
const countTokens = (text: string): number => Math.ceil(text.length / 4);

/** A word that no other number has, of letters alone. */
const ownWord = (index: number): string => `q${String(index).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}um`;

const openers = [
  'This skill should be used when the user asks to',
  'Use when the user wants help to',
  'Comprehensive guide for teams that',
  'Manages the work of people who',
];
const shared = ['plan, review and improve', 'build, test and deploy', 'write, edit and publish', 'measure, compare and report'];

/** Descriptions that begin alike, each with one word of its own at some depth. */
function library(count: number): SkillMetadata[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `team-work-${index}`,
    version: null,
    description: [
      openers[index % 4],
      shared[index % 3],
      'the projects of a company with care for its customers,'.repeat(index % 3),
      `such as ${ownWord(index)} and others.`,
      index % 2 === 0 ? 'Use when the team asks what is to be done next, and by whom.' : 'It knows the forms and the deadlines.',
    ].join(' '),
    origin: { kind: 'fs', label: 'x', trusted: true },
  }));
}

const linesOf = (skills: readonly SkillMetadata[], maxTokens: number): readonly string[] =>
  budgetCatalog(skills, { maxTokens, countTokens }, writer)
    .text.split('\n')
    .filter((line) => line.startsWith('team-work-'));

describe('DIS-2: shortened lines keep what tells a skill apart', () => {
  it.each([16_000, 20_000, 26_000])('none of 1,000 lines within %d tokens is without a word of its own', (maxTokens) => {
    const skills = library(1_000);
    const { shortened, nameOnly } = budgetCatalog(skills, { maxTokens, countTokens }, writer);
    expect([shortened.length > 500, nameOnly]).toEqual([true, []]);
    const lines = linesOf(skills, maxTokens);
    expect(lines).toHaveLength(1_000);
    expect(lines.filter((line, index) => !new RegExp(`\\b${ownWord(index)}\\b`).test(line))).toEqual([]);
  });

  it('the order of the skills changes no line', () => {
    const skills = library(300);
    const turned = skills.toSorted((a, b) => (a.description < b.description ? -1 : 1));
    expect(linesOf(turned, 6_000).toSorted()).toEqual(linesOf(skills, 6_000).toSorted());
  });

  it('an untrusted source that has the same words changes no line of a trusted skill', () => {
    const skills = library(100);
    const copies = skills.map((skill): SkillMetadata => ({
      ...skill,
      name: `z-${skill.name}`,
      origin: { kind: 'http', label: 'y', trusted: false },
    }));
    expect(linesOf([...skills, ...copies], 2_500)).toEqual(linesOf(skills, 2_500));
  });

  it('words of the name are none, as the line has them', () => {
    const skills: SkillMetadata[] = [
      { name: 'quote', version: null, description: 'Writes a quote for roofers.' },
      { name: 'bill', version: null, description: 'Writes a bill for roofers, then sends it.' },
    ];
    const words = ownWords(skills);
    expect(skills.map((skill) => words.of(skill, skill.description).map(({ word }) => word))).toEqual([
      ['writes', 'for', 'roofers'],
      ['then', 'sends'],
    ]);
  });

  it('lists of the same skills are counted each by itself, though each text is read once', () => {
    const [quote, bill, roof] = [
      { name: 'a', version: null, description: 'Writes quotes, and quotes again.' },
      { name: 'b', version: null, description: 'Writes bills.' },
      { name: 'c', version: null, description: 'Mends roofs.' },
    ] as const satisfies SkillMetadata[];
    const words = new SummaryWords();
    const own = (...skills: SkillMetadata[]) =>
      ownWords(skills, words)
        .of(quote, quote.description)
        .map(({ word, index }) => `${word} ${index}`);
    expect(own(quote, bill, roof)).toEqual(['quotes 7', 'and 15', 'quotes 19', 'again 26']);
    expect(own(quote, roof)).toEqual(['writes 0', 'quotes 7', 'and 15', 'quotes 19', 'again 26']);
    expect(own(roof)).toEqual(own(quote, roof));
  });
});
