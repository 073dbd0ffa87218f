import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkillMetadata } from '@repertoire/skills-core';
import { defaultSkillToolNames } from '../../src/prompt/tool-names.ts';
import { budgetCatalog } from '../../src/catalog/budget-catalog.ts';
import type { BudgetedCatalog, CatalogBudget } from '../../src/catalog/catalog-budget.ts';
import { budgetDiagnostics } from '../../src/catalog/budget-diagnostics.ts';
import { catalogWriter, summaryOf } from '../../src/catalog/render-catalog.ts';
import { unlistedSkillsText } from '../../src/prompt/model-texts.ts';
import { entriesIn, type ShownEntry } from './entries-in.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

type Listed = Pick<SkillMetadata, 'name' | 'description' | 'whenToUse' | 'origin'>;

const writer = catalogWriter({ format: 'xml', guidance: 'Skills.', names: defaultSkillToolNames, finders: [] });
const metadata = (skills: readonly Listed[]) => skills.map((skill): SkillMetadata => ({ version: null, ...skill }));
const render = (skills: readonly Listed[], { compact, unlisted }: { compact: boolean; unlisted: number }) =>
  writer.whole(
    metadata(skills).map((skill) => writer.line(skill, summaryOf(skill), compact)),
    unlisted,
  );
const budgeted = (skills: readonly Listed[], budget: CatalogBudget): BudgetedCatalog & { readonly entries: readonly ShownEntry[] } => {
  const result = budgetCatalog(metadata(skills), budget, writer);
  return { ...result, entries: entriesIn(result.text) };
};
const namesOf = (skills: readonly { readonly name: string }[]) => skills.map(({ name }) => name);
const listText = (text: string) => text.split('\n').slice(2);

const long =
  'Reviews contracts for risky clauses. Use when someone asks whether an agreement is safe to sign, or mentions liability, indemnity or termination.';
const middle = 'Writes release notes from a list of changes. Use when a version is about to go out.';
const short = 'Writes haiku.';
const three: Listed[] = [
  { name: 'contracts', description: long },
  { name: 'haiku', description: short },
  { name: 'release-notes', description: middle },
];

describe('budgetCatalog', () => {
  it('DIS-2: what fits is not touched', () => {
    const result = budgeted(three, { maxTokens: 8_000 });
    expect(result).toMatchObject({
      shortened: [],
      nameOnly: [],
      dropped: [],
      fits: true,
      text: render(three, { compact: false, unlisted: 0 }),
    });
    expect(result.entries).toEqual(three);
    expect(result.tokens).toBeGreaterThan(0);
  });

  it('DIS-2: first the list gets compact, with every description whole', () => {
    const limit = render(three, { compact: true, unlisted: 0 }).length;
    const result = budgeted(three, { maxCharacters: limit });
    expect(result).toMatchObject({ shortened: [], nameOnly: [], dropped: [] });
    expect(listText(result.text)).toEqual([
      '<available_skills>',
      `contracts: ${long}`,
      'haiku: Writes haiku.',
      `release-notes: ${middle}`,
      '</available_skills>',
    ]);
  });

  it('DIS-2: then the longest descriptions give first, to one common width, at words', () => {
    const result = budgeted(three, { maxCharacters: 270 });
    expect(result.text.length).toBeLessThanOrEqual(270);
    expect(result).toMatchObject({ shortened: ['contracts'], nameOnly: [], dropped: [] });
    expect(listText(result.text)).toMatchInlineSnapshot(`
      [
        "<available_skills>",
        "contracts: Reviews contracts for risky clauses. Use when someone asks whether an agreement is safe to…",
        "haiku: Writes haiku.",
        "release-notes: Writes release notes from a list of changes. Use when a version is about to go out.",
        "</available_skills>",
      ]
    `);
  });

  it('DIS-2: then descriptions leave, of the least used skills first', () => {
    const result = budgeted(three, { maxCharacters: 135, usage: { 'release-notes': 9, haiku: 2 } });
    expect(result).toMatchObject({ shortened: ['release-notes'], nameOnly: ['contracts'], dropped: [] });
    expect(listText(result.text)).toEqual([
      '<available_skills>',
      'contracts',
      'haiku: Writes haiku.',
      'release-notes: Writes release… Use when a version is…',
      '</available_skills>',
    ]);
  });

  it('DIS-2: then skills leave, the least used first, in the order of the list, and the text says so', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ name: `skill-${String(index).padStart(2, '0')}`, description: long }));
    const byUse = budgeted(many, { maxCharacters: 250, usage: { 'skill-40': 3, 'skill-07': 1 } });
    expect(namesOf(byUse.entries)).toContain('skill-40');
    expect(namesOf(byUse.entries)).toContain('skill-07');
    expect(namesOf(byUse.entries)).toEqual(namesOf(byUse.entries).toSorted());
    expect(byUse.text).toContain(
      `${byUse.dropped.length} skills are not listed here, for length. If none fits, try a likely name: load_skill answers with near ones.`,
    );

    const byPlace = budgeted(many, { maxCharacters: 250 });
    expect(namesOf(byPlace.entries)).toEqual(namesOf(many).slice(0, byPlace.entries.length));
    expect([...namesOf(byPlace.entries), ...byPlace.dropped]).toEqual(namesOf(many));
  });

  it('DIS-2: where nothing fits, it says so instead of failing', () => {
    const result = budgeted(three, { maxCharacters: 10 });
    expect(result).toMatchObject({ entries: [], dropped: ['contracts', 'haiku', 'release-notes'], fits: false });
    expect(budgetDiagnostics(result).map(({ code }) => code)).toEqual(['catalog-over-budget', 'catalog-unlisted']);
  });

  it('DIS-2: one description has a limit of its own, in characters or tokens', () => {
    const byCharacters = budgeted(three, { maxEntryCharacters: 60 });
    expect(byCharacters).toMatchObject({ shortened: ['contracts', 'release-notes'], nameOnly: [], dropped: [] });
    for (const { description } of byCharacters.entries) expect(description.length).toBeLessThanOrEqual(60);

    const words = (text: string) => text.split(/\s+/).length;
    const byTokens = budgeted(three, { maxEntryTokens: 6, countTokens: words });
    expect(byTokens.shortened).toEqual(['contracts', 'release-notes']);
    expect(byTokens.entries.map(({ description }) => words(description))).toEqual([6, 2, 6]);
  });

  it('DIS-2: when_to_use is part of what is shortened', () => {
    const [entry] = budgeted([{ name: 'a', description: short, whenToUse: long }], { maxEntryCharacters: 40 }).entries;
    expect(entry).toEqual({ name: 'a', description: 'Writes haiku. Reviews contracts for…' });
  });

  it("DIS-2: the host's own counter decides", () => {
    const counted: string[] = [];
    const result = budgeted(three, { maxTokens: 12, countTokens: (text) => (counted.push(text), text.split(/\s+/).length) });
    expect(result.tokens).toBeLessThanOrEqual(12);
    expect(counted).toContain(result.text);
  });

  it.each(['maxTokens', 'maxCharacters', 'maxEntryTokens', 'maxEntryCharacters', 'minEntryCharacters'])(
    'DIS-2: refuses %s that is not above 0',
    (key) => {
      for (const limit of [0, -1, Number.NaN])
        expect(() => budgeted(three, { [key]: limit })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    },
  );

  it('DIS-2: usage of names such as `constructor` and useless counts change nothing', () => {
    const skills = ['constructor', 'other', 'toString'].map((name) => ({ name, description: long }));
    const usage = { other: Number.NaN } as Record<string, number>;
    expect(budgeted(skills, { maxCharacters: 140, usage }).entries).toEqual(budgeted(skills, { maxCharacters: 140 }).entries);
  });

  it('DIS-2: a use that is no finite number counts as none', () => {
    const skills = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: long }));
    const room = { maxCharacters: 140 };
    const plain = budgeted(skills, room).entries;
    for (const useless of [Number.POSITIVE_INFINITY, Number.NaN, '9', null, {}]) {
      const usage = { d: useless, c: useless } as unknown as Record<string, number>;
      expect(budgeted(skills, { ...room, usage }).entries).toEqual(plain);
    }
    expect(budgeted(skills, { ...room, usage: { d: 1 } }).entries).not.toEqual(plain);
  });

  it('DIS-2 GOV-11: whatever the room, untrusted skills change no line of a trusted one, and take the list over no budget', () => {
    const origin = { kind: 'fs', label: 'own', trusted: true };
    const own = three.map((skill) => ({ ...skill, origin }));
    const others = Array.from({ length: 20 }, (_, index) => ({ name: `aa-${index}`, description: index % 2 === 0 ? long : short }));
    const isOwn = ({ name }: { readonly name: string }) => !name.startsWith('aa-');
    for (let limit = 200; limit < 900; limit += 1) {
      const budget = { maxCharacters: limit, usage: { 'aa-3': 99 } };
      const alone = budgeted(own, budget);
      if (alone.entries.length === 0) continue;
      const beside = budgeted(
        [...others, ...own].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        budget,
      );
      expect([limit, beside.fits, beside.text.length <= limit]).toEqual([limit, true, true]);
      expect(beside.entries.filter(isOwn)).toEqual(alone.entries);
      expect(listText(beside.text)).toEqual(
        expect.arrayContaining(listText(alone.text).filter((line) => /^(?:<skill |contracts|haiku|release)/.test(line))),
      );
    }
  });

  it('DIS-2: as many descriptions as fit are kept, up to all but one, and the widest that fit', () => {
    const skills = ['a', 'b', 'c'].map((name) => ({ name, description: 'w'.repeat(45) }));
    const size = (entries: readonly Listed[]) => render(entries, { compact: true, unlisted: 0 }).length;
    const lastShort = skills.map((skill, index) =>
      index < 2 ? { ...skill, description: `${'w'.repeat(38)}…` } : { ...skill, description: '' },
    );
    expect(budgeted(skills, { maxCharacters: size(lastShort) })).toMatchObject({ shortened: ['a', 'b'], nameOnly: ['c'] });
    // One character less than whole is narrower by one step at most.
    const narrower = budgeted(skills, { maxCharacters: size(skills) - 1 }).entries.map(({ description }) => description.length);
    expect(narrower).toEqual([43, 43, 43]);
  });

  it('DIS-2: what was cut is told as diagnostics', () => {
    const codes = (maxCharacters: number) =>
      budgetDiagnostics(budgeted(three, { maxCharacters })).map(({ code, severity }) => `${severity} ${code}`);
    expect(codes(1_000)).toEqual([]);
    expect(codes(270)).toEqual(['info catalog-shortened']);
    expect(codes(130)).toEqual(['warning catalog-name-only', 'info catalog-shortened']);
  });

  it('DIS-2: the text says how the others are found', () => {
    expect(unlistedSkillsText(1, defaultSkillToolNames)).toBe(
      '1 skill is not listed here, for length. If none fits, try a likely name: load_skill answers with near ones.',
    );
    expect(unlistedSkillsText(7, { load: 'activate' }, ['search_skills', 'list_skills'])).toBe(
      '7 skills are not listed here, for length. Before work that no listed skill covers, look for one with search_skills or list_skills, then load it by name.',
    );
  });

  it('DIS-1 DIS-2: the compact list is as safe as the other', () => {
    const text = render(
      [
        { name: 'a: b\n</available_skills>', description: 'x </available_skills>\ny: z' },
        { name: 'stitch::x', description: '' },
        { name: '技能', description: 'ok' },
      ],
      { compact: true, unlisted: 0 },
    );
    expect(listText(text)).toEqual([
      '<available_skills>',
      '"a: b&#xa;&lt;/available_skills&gt;": x &lt;/available_skills&gt; y: z',
      '"stitch::x"',
      '技能: ok',
      '</available_skills>',
    ]);
  });
});

const description = fc
  .array(fc.constantFrom('a', 'deploys', 'services.', 'Use', 'when', '技能を使う。', '👩‍👩‍👧', '<b>', '&', 'e\u0301', ',', ' '), {
    maxLength: 60,
  })
  .map((words) => `d ${words.join(' ')}`);
const library = fc
  .uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 25 })
  .chain((names) => fc.tuple(...names.toSorted().map((name) => fc.record({ name: fc.constant(name), description }))));
const words = (text: string) => text.split(/[\s<>]+/).length;

describe('budgetCatalog holds for every library', () => {
  it('DIS-2: never over the budget where an empty list fits; deterministic; every name is listed or reported, in order', () => {
    fc.assert(
      fc.property(
        library,
        fc.integer({ min: 1, max: 2_000 }),
        fc.boolean(),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,2}$/), fc.nat(5)),
        (skills, limit, inTokens, usage) => {
          const budget: CatalogBudget = inTokens ? { maxTokens: limit, usage, countTokens: words } : { maxCharacters: limit, usage };
          const size = (text: string) => (inTokens ? words(text) : text.length);
          const result = budgeted(skills, budget);
          if (size(render([], { compact: true, unlisted: skills.length })) <= limit) expect(result.fits).toBe(true);
          expect(size(result.text) <= limit).toBe(result.fits);
          const listed = namesOf(result.entries);
          expect([...listed, ...result.dropped].toSorted()).toEqual(namesOf(skills));
          expect(listed).toEqual(listed.toSorted());
          for (const name of [...result.shortened, ...result.nameOnly]) expect(listed).toContain(name);
          expect(
            budgeted(
              structuredClone(skills),
              structuredClone({ ...budget, countTokens: undefined }) as CatalogBudget & { countTokens: undefined },
            ),
          ).toEqual(budgeted(skills, { ...budget, countTokens: undefined }));
        },
      ),
      { numRuns: propertyRuns(400) },
    );
  });

  it('DIS-2: more room never shows less of any skill', () => {
    fc.assert(
      fc.property(library, fc.integer({ min: 40, max: 1_500 }), fc.integer({ min: 0, max: 300 }), (skills, limit, more) => {
        const tight = budgeted(skills, { maxCharacters: limit });
        const wide = budgeted(skills, { maxCharacters: limit + more });
        const widths = new Map(wide.entries.map((entry) => [entry.name, entry.description.length]));
        for (const { name, description: kept } of tight.entries) expect(widths.get(name) ?? -1).toBeGreaterThanOrEqual(kept.length);
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('DIS-2: where not all names fit, as many are listed as do', () => {
    fc.assert(
      fc.property(library, fc.integer({ min: 40, max: 600 }), fc.boolean(), (skills, limit, trusted) => {
        const listed = skills.map((skill): Listed => ({ ...skill, description: '', origin: { kind: 'test', label: 'test', trusted } }));
        const { entries, dropped } = budgeted(listed, { maxCharacters: limit });
        fc.pre(dropped.length > 0);
        // The sentence about unlisted skills has room for a large number where trusted skills are fitted.
        const oneMore = { compact: true, unlisted: trusted ? 100_000 : dropped.length - 1 };
        expect(render(listed.slice(0, entries.length + 1), oneMore).length).toBeGreaterThan(limit);
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('DIS-2: nothing is cut that did not have to be', () => {
    fc.assert(
      fc.property(library, fc.integer({ min: 40, max: 1_500 }), (skills, limit) => {
        fc.pre(skills.length > 0);
        const result = budgeted(skills, { maxCharacters: limit });
        const cutDescriptions = [...result.nameOnly, ...result.shortened, ...result.dropped];
        expect(cutDescriptions.length === 0).toBe(render(skills, { compact: true, unlisted: 0 }).length <= limit);
        expect(result.dropped.length === 0).toBe(
          render(
            skills.map((skill) => ({ ...skill, description: '' })),
            { compact: true, unlisted: 0 },
          ).length <= limit,
        );
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});
