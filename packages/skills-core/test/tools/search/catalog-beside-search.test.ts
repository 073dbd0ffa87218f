import { describe, expect, it } from 'vitest';
import { SkillRegistry, type SkillCatalog, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import type { SkillDiscoveryOptions } from '../../../src/tools/search/discover-skills.ts';
import { entriesIn } from '../../catalog/entries-in.ts';
import { openShelf, Shelf } from './shelf.ts';

const many = Array.from({ length: 1_000 }, (_, index) => ({
  name: `case-${String(index).padStart(3, '0')}`,
  description: `Handles case ${index}, its forms and its deadlines, for every customer and every contract. Use when case ${index} comes up in a letter.`,
  body: 'Read the form.',
}));
const few = many.slice(0, 20);

async function catalogOf(
  skills: typeof many,
  discovery: SkillDiscoveryOptions,
  catalog: { readonly usage?: Record<string, number>; readonly maxTokens?: number } = {},
  provider: SkillProvider = new SkillRegistry({ skills }),
): Promise<{ readonly catalog: SkillCatalog; readonly codes: readonly string[] }> {
  const { skillset, diagnostics } = openShelf(new Shelf(), { provider, catalog }, discovery);
  const session = await skillset.open();
  return { catalog: session.catalog, codes: diagnostics.map(({ code }) => code) };
}
const listed = ({ text }: SkillCatalog): string[] => entriesIn(text).map(({ name }) => name);
const behind = ({ text }: SkillCatalog): string => text.slice(text.indexOf('</available_skills>') + '</available_skills>'.length).trim();

describe('the catalog beside a search', () => {
  it('DIS-14: the tool is offered where the text names it, also for one skill', async () => {
    for (const alwaysListed of [[], ['case-000']]) {
      const { skillset } = openShelf(
        new Shelf(),
        { provider: new SkillRegistry({ skills: many.slice(0, 1) }) },
        { mode: 'search', alwaysListed },
      );
      const { catalog, tools } = await skillset.open();
      expect(tools.some(({ role }) => role === 'search')).toBe(catalog.text.includes('search_skills'));
      expect(catalog.text.includes('search_skills')).toBe(alwaysListed.length === 0);
    }
  });

  it('DIS-14: while every description has room, the list is that without search', async () => {
    const { catalog, codes } = await catalogOf(few, {});
    expect(catalog.text).toBe((await catalogOf(few, { mode: 'beside' })).catalog.text);
    expect(listed(catalog)).toEqual(few.map(({ name }) => name));
    expect(behind(catalog)).toBe('');
    expect(codes).toEqual([]);
  });

  it('DIS-14: beyond that it lists the alwaysListed and those used most, each with a useful description, and how the others are found', async () => {
    const usage = { 'case-999': 4, 'case-500': 9, 'case-001': 0, nobody: 8 };
    const { catalog, codes } = await catalogOf(many, { alwaysListed: ['case-700', 'case-300'] }, { usage });
    expect(listed(catalog)).toEqual(['case-300', 'case-500', 'case-700', 'case-999']);
    for (const { description } of entriesIn(catalog.text)) expect(description).toContain('comes up in a letter.');
    expect(behind(catalog)).toBe(
      '996 skills are not listed here, for length. Before work that no listed skill covers, look for one with search_skills, then load it by name.',
    );
    expect(catalog.skills).toHaveLength(1_000);
    expect(catalog.cut.dropped).toHaveLength(996);
    expect(codes).toEqual(['catalog-searched']);
  });

  it('DIS-14: where those used do not all fit, the least used go, whole and not by the alphabet', async () => {
    const usage = Object.fromEntries(many.map(({ name }, index) => [name, index + 1]));
    const { catalog } = await catalogOf(many, { alwaysListed: ['case-000'] }, { usage, maxTokens: 1_000 });
    const names = listed(catalog);
    expect(catalog.tokens).toBeLessThanOrEqual(1_000);
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(['case-000', ...many.slice(-names.length + 1).map(({ name }) => name)]);
    for (const { description } of entriesIn(catalog.text)) expect(description.length).toBeGreaterThan(90);
  });

  it('DIS-14: `search` lists the alwaysListed only, whatever the room', async () => {
    const { catalog } = await catalogOf(few, { mode: 'search', alwaysListed: ['case-007'] }, { usage: { 'case-003': 5 } });
    expect(listed(catalog)).toEqual(['case-007']);
    expect(entriesIn(catalog.text)[0]?.description).toBe(few[7]?.description);
    expect(behind(catalog)).toContain('19 skills are not listed here');
  });

  it('DIS-14: under an empty list, the text counts all skills, not how many more there are', async () => {
    for (const [skills, discovery] of [
      [few, { mode: 'search' }],
      [many, {}],
    ] as const) {
      const { catalog } = await catalogOf([...skills], discovery);
      expect(listed(catalog)).toEqual([]);
      expect(behind(catalog)).toBe(
        `${skills.length} skills are not listed here, for length. Before work that no listed skill covers, look for one with search_skills, then load it by name.`,
      );
    }
  });

  it('DIS-14: `beside` lists every skill that the budget leaves, as without search', async () => {
    const { catalog, codes } = await catalogOf(many, { mode: 'beside' });
    expect(listed(catalog).length).toBeGreaterThan(500);
    expect(codes).toContain('catalog-name-only');
    expect(codes).not.toContain('catalog-searched');
  });

  it('DIS-14: more alwaysListed than there is room for stay, the first the longest', async () => {
    const alwaysListed = many
      .slice(0, 200)
      .map(({ name }) => name)
      .toReversed();
    const { catalog, codes } = await catalogOf(many, { alwaysListed }, { maxTokens: 1_000, usage: { 'case-900': 7 } });
    expect(catalog.tokens).toBeLessThanOrEqual(1_000);
    expect(listed(catalog)).not.toContain('case-900');
    expect(listed(catalog)).toHaveLength(200);
    expect(entriesIn(catalog.text).at(-1)).toMatchObject({ name: 'case-199', description: expect.stringContaining('Use when') as string });
    expect(codes).toEqual(['catalog-name-only', 'catalog-shortened', 'catalog-searched']);
    expect(listed(catalog).length + catalog.cut.dropped.length).toBe(1_000);
  });

  it('DIS-14: a skill of alwaysListed that the model does not see is reported', async () => {
    const { skillset, diagnostics } = openShelf(new Shelf(), {}, { alwaysListed: ['refund', 'invoices'] });
    await skillset.open();
    expect(diagnostics).toMatchObject([{ code: 'always-listed-missing', fix: expect.stringContaining('"refunds"') as string }]);
  });

  it('DIS-14: every skill is loaded by name, listed or not', async () => {
    const { skillset } = openShelf(new Shelf(), { provider: new SkillRegistry({ skills: many }) });
    const session = await skillset.open();
    const result = await session.load({ name: 'case-777' }, { state: session.state([]) });
    expect(result.events).toMatchObject([{ type: 'loaded', name: 'case-777' }]);
  });

  it('DIS-14: the same skills and options give the same bytes, in any order of either', async () => {
    const one = await catalogOf(many, { alwaysListed: ['case-002', 'case-001'] }, { usage: { 'case-9': 1, 'case-100': 2, 'case-200': 3 } });
    const two = await catalogOf(many.toReversed(), { alwaysListed: ['case-001', 'case-002'] }, { usage: { 'case-200': 3, 'case-100': 2 } });
    expect(two.catalog.text).toBe(one.catalog.text);
  });

  it.each([
    ['some of which fit', 300, 1],
    ['which all fit, though they were never used', 20, 0],
  ])('DIS-14: no untrusted skill changes the lines of trusted ones, %s', async (_which, count, uses) => {
    const origin = (trusted: boolean): SkillMetadata['origin'] => ({ kind: 'x', label: trusted ? 'host' : 'web', trusted });
    const trusted: SkillMetadata[] = many
      .slice(0, count)
      .map(({ name, description }) => ({ name, description, version: null, origin: origin(true) }));
    const noise = (length: number): SkillMetadata[] =>
      Array.from({ length }, (_, index) => ({
        name: `noise-${index}`,
        description: 'x '.repeat(index),
        version: null,
        origin: origin(false),
      }));
    const usage = {
      ...Object.fromEntries(trusted.map(({ name }) => [name, uses])),
      ...Object.fromEntries(noise(300).map(({ name }) => [name, 99])),
    };
    const lines = async (skills: readonly SkillMetadata[]) => {
      const provider: SkillProvider = {
        label: 'mixed',
        listSkills: async () => await Promise.resolve({ skills, diagnostics: [], complete: true }),
        getSkill: async () => await Promise.resolve(null),
        readResource: async () => await Promise.resolve(null),
      };
      const { catalog } = await catalogOf(many, { alwaysListed: ['case-001'] }, { usage, maxTokens: 3_000 }, provider);
      return catalog.text.split('\n').filter((line) => line.includes('case-'));
    };
    const alone = await lines(trusted);
    expect(alone.length).toBeGreaterThanOrEqual(Math.min(count, 50));
    for (const others of [50, 300]) expect(await lines([...trusted, ...noise(others)])).toEqual(alone);
  });
});
