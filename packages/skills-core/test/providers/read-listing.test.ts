import type { SkillDiagnostic, SkillMetadata, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, fixedSkillProvider } from '@repertoire/skills-core/internal';
import { readListing, type SkillListing } from '@repertoire/skills-core/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const skill = (name: string, version: string | null = null): SkillMetadata => ({ name, version, description: `${name}.` });
const sourceOf = (answer: () => SkillListing): SkillProvider => ({
  ...fixedSkillProvider([]),
  label: 'shop',
  listSkills: async () => answer(),
});
const listed = async (skills: readonly SkillMetadata[]) =>
  (await readListing(sourceOf(() => ({ skills, diagnostics: [], complete: true })))).skills.map(({ name, version }) => [name, version]);

describe('readListing', () => {
  it('CON-3: brings names in order by UTF-16 code units, which no dictionary and no code point has', async () => {
    const names = ['a-z', 'a1', 'aa', 'aa-b', 'aab', 'b-1', 'b10', 'b2', 'zebra', '\u00fcber-uns', '\u{20000}', '\ufa0e'];
    expect((await listed(names.toReversed().map((name) => skill(name)))).map(([name]) => name)).toEqual(names);
  });

  it('CON-8: brings versions newest first, the skill without one last', async () => {
    const versions = ['2.0.0', '2.0.0-rc.1', '1.10.0', '1.9.0', null];
    const skills = [...versions.toReversed().map((version) => skill('report', version)), skill('aside')];
    expect(await listed(skills)).toEqual([['aside', null], ...versions.map((version) => ['report', version])]);
  });

  it('CON-3: keeps the first of a name and version that is listed twice, and says so', async () => {
    const [first, second] = [skill('a', '1'), { ...skill('a', '1'), description: 'Other.' }];
    const { skills, diagnostics, complete } = await readListing(
      sourceOf(() => ({ skills: [skill('b'), first, second, skill('a')], diagnostics: [], complete: false })),
    );
    expect(skills).toEqual([first, skill('a'), skill('b')]);
    expect(diagnostics.map(({ code, severity, skill: name }) => [code, severity, name])).toEqual([['skill-listed-twice', 'warning', 'a']]);
    expect(complete).toBe(false);
  });

  it('CON-3: of two skills of one name and version at two places, keeps the same one in any order, a trusted one first, and says what they are', async () => {
    const at = (place: string, trusted = false): SkillMetadata => ({ ...skill('a'), origin: { kind: 'x', label: 'shop', trusted, place } });
    const kept = async (...skills: readonly SkillMetadata[]) => {
      const listing = await readListing(sourceOf(() => ({ skills, diagnostics: [], complete: true })));
      return [listing.skills.map(({ origin }) => origin?.place), listing.diagnostics.map(({ message }) => message)] as const;
    };
    const [first, second] = [at('one/a'), at('two/a')];
    expect(await kept(second, first)).toEqual(await kept(first, second));
    expect((await kept(second, first))[0]).toEqual(['one/a']);
    expect((await kept(second, first))[1]).toEqual([
      expect.stringMatching(/"shop:one\/a", which is used, and at "shop:two\/a", which is another skill/),
    ]);
    expect((await kept(first, at('two/a', true)))[0]).toEqual(['two/a']);
    expect((await kept(first, first))[1]).toEqual([expect.stringMatching(/The first is used/)]);
  });

  it('CON-3: an answer that cannot change costs nothing again; one that can is read again', async () => {
    const frozen = deepFreeze<SkillListing>({ skills: [skill('b'), skill('a')], diagnostics: [], complete: true });
    const source = sourceOf(() => frozen);
    expect(await readListing(source)).toBe(await readListing(source));
    const open = { skills: [skill('b'), skill('a')], diagnostics: [], complete: true };
    const careless = sourceOf(() => open);
    expect((await readListing(careless)).skills).toHaveLength(2);
    open.skills.push(skill('c'));
    expect((await readListing(careless)).skills.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('GOV-6: bounds the diagnostics of a source in number and in length, and keeps its errors', async () => {
    const note = (index: number): SkillDiagnostic => ({ code: 'note', severity: 'info', message: `${index}` });
    const error: SkillDiagnostic = {
      code: 'bad',
      severity: 'error',
      message: 'x'.repeat(100_000),
      skill: 'n'.repeat(100_000),
      path: 'p'.repeat(100_000),
      fix: 'f'.repeat(100_000),
    };
    const many = [...Array.from({ length: 5_000 }, (_, index) => note(index)), error];
    const { diagnostics } = await readListing(sourceOf(() => ({ skills: [], diagnostics: many, complete: true })));
    expect(diagnostics).toHaveLength(1_001);
    expect(diagnostics.slice(0, 999)).toEqual(many.slice(0, 999));
    expect(diagnostics.at(-2)?.code).toBe('bad');
    expect(JSON.stringify(diagnostics.at(-2)).length).toBeLessThan(40_000);
    expect(diagnostics.at(-1)).toMatchObject({ code: 'diagnostics-cut', message: '4001 more were found and left out.' });
  });

  it('CON-3: whatever the order of the answer, the listing is the same', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'B', 'é'), fc.constantFrom(null, '1', '1.0', 'v2', 'x')), {
      selector: ([name, version]) => JSON.stringify([name, version]),
    });
    return fc.assert(
      fc.asyncProperty(entries, fc.infiniteStream(fc.nat()), async (pairs, numbers) => {
        const skills = pairs.map(([name, version]) => skill(name, version));
        const shuffled = skills.map((each) => ({ each, rank: numbers.next().value as number })).sort((a, b) => a.rank - b.rank);
        expect(await listed(shuffled.map(({ each }) => each))).toEqual(await listed(skills));
      }),
      { seed: 3 },
    );
  });
});
