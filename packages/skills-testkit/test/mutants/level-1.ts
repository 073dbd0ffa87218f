import { SkillError } from '@repertoire/skills-core';
import { answering, level1, listing, type MutantsOf } from './mutant.ts';

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
    mutate: ({ watch: _watch, ...provider }) => provider,
    alsoBreaks: ['pinned/content-follows', 'watch/tells', 'watch/fresh', 'watch/ends', 'watch/bursts'],
  },
  'list/shape': {
    fault: 'leaves the version out of a skill that has none',
    mutate: (provider) =>
      listing(provider, (skills) => skills.map((skill) => (skill.version === null ? { ...skill, version: undefined as never } : skill))),
    alsoBreaks: ['skill/same-level-1'],
  },
  'list/diagnostics': {
    fault: 'leaves skills out in silence',
    mutate: (provider) => answering(provider, (answer) => ({ ...answer, diagnostics: answer.diagnostics.slice(1) })),
  },
  'list/complete': {
    fault: 'never calls its list complete',
    mutate: (provider) => answering(provider, (answer) => ({ ...answer, complete: answer.skills.length === 0 })),
  },
  'list/unique': {
    fault: 'lists a skill under every folder that holds it',
    mutate: (provider, files) =>
      listing(provider, (skills) =>
        'double-1/SKILL.md' in files ? skills.flatMap((skill) => (skill.name === 'double' ? [skill, { ...skill }] : [skill])) : skills,
      ),
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
      answering(provider, (answer) => {
        const bad = answer.diagnostics.find(({ severity, skill }) => severity === 'error' && skill !== 'double');
        if (bad !== undefined) throw new SkillError('invalid-skill', bad.message);
        return answer;
      }),
    alsoBreaks: ['list/shape', 'list/diagnostics', 'list/complete', 'list/unique'],
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
