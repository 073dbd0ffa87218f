import { SkillError } from '@repertoire/skills-core';
import { level1, listing, type MutantsOf } from './mutant.ts';

/** Faults in the shape of a provider and in its list. */
export const level1Mutants: MutantsOf<'contract' | 'list' | 'origin'> = {
  'contract/shape': { fault: 'has no label', mutate: (provider) => ({ ...provider, label: ' ' }), alsoBreaks: ['origin/label'] },
  'contract/promises': {
    fault: 'throws at the call where the signal was aborted',
    mutate: (provider) => ({
      ...provider,
      listSkills: (options) => {
        options?.signal?.throwIfAborted();
        return provider.listSkills(options);
      },
    }),
    alsoBreaks: ['abort/before', 'failing/abort-first'],
  },
  'contract/abilities': {
    fault: 'has lost an ability that is declared',
    mutate: ({ diagnostics: _diagnostics, ...provider }) => provider,
    alsoBreaks: ['diagnostics/bad-skill', 'diagnostics/first', 'diagnostics/clean', 'diagnostics/isolation', 'diagnostics/abort'],
  },
  'list/order': {
    fault: 'lists in the order of a dictionary',
    mutate: (provider) =>
      listing(provider, (skills) => skills.toSorted((a, b) => a.name.replaceAll('-', '').localeCompare(b.name.replaceAll('-', ''), 'en'))),
    alsoBreaks: ['list/order-code-units'],
  },
  'list/order-code-units': {
    fault: 'compares names by code points',
    mutate: (provider) => listing(provider, (skills) => skills.toSorted((a, b) => byCodePoints(a.name, b.name))),
  },
  'list/level-1-only': {
    fault: 'reads every skill for the list',
    mutate: (provider) =>
      listing(provider, async (skills) => {
        for (const { name } of skills) await provider.getSkill(name);
        return skills;
      }),
  },
  'list/standard-fields': {
    fault: 'forgets the license',
    mutate: (provider) => level1(provider, ({ license: _license, ...skill }) => skill),
  },
  'list/other-fields': {
    fault: 'reads numbers in unknown fields',
    mutate: (provider) =>
      level1(provider, (skill) => ({ ...skill, ...(skill.fields && { fields: { ...skill.fields, 'x-weight': '1.1' } }) })),
  },
  'list/bad-skill': {
    fault: 'rejects the list where one skill is bad',
    mutate: (provider) =>
      listing(provider, async (skills) => {
        const bad = (await provider.diagnostics()).find(({ severity }) => severity === 'error');
        if (bad !== undefined) throw new SkillError('invalid-skill', bad.message);
        return skills;
      }),
    alsoBreaks: ['diagnostics/bad-skill'],
  },
  'list/empty': {
    fault: 'takes an empty source for one that is away',
    mutate: (provider) =>
      listing(provider, (skills) => {
        if (skills.length === 0) throw new SkillError('source-unavailable', 'There is nothing.');
        return skills;
      }),
  },
  'list/stable': { fault: 'lists a page and stops', mutate: (provider) => listing(provider, (skills) => skills.slice(0, 100)) },
  'origin/label': {
    fault: 'tells another label than its own',
    mutate: (provider) =>
      level1(provider, (skill) => ({ ...skill, ...(skill.origin && { origin: { ...skill.origin, label: skill.name } }) })),
    alsoBreaks: ['origin/not-claimed'],
  },
  'origin/not-claimed': {
    fault: 'believes what a skill says of its trust',
    mutate: (provider) =>
      level1(provider, (skill) => ({
        ...skill,
        ...(skill.origin && { origin: { ...skill.origin, trusted: skill.fields?.['trusted'] !== 'false' } }),
      })),
  },
};

function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
