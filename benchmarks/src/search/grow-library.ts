import type { Skill, SkillProvider } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import type { CorpusSkill } from './search-corpus.ts';

/**
 * A library of any size, made of real skills: each has the description of one and the paragraphs of three, until it is as long as the one, and some words that no
 * other has. The same every time.
 */
export function growLibrary(skills: readonly CorpusSkill[], count: number): Skill[] {
  let state = 42;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const paragraphs = skills.map(({ body }) => body.split('\n\n'));
  return Array.from({ length: count }, (_, index) => {
    const base = random(skills.length);
    const { metadata, body } = skills[base] as CorpusSkill;
    const sources = [base, random(skills.length), random(skills.length)].map((source) => paragraphs[source] ?? []);
    const parts = [`Project ${word(index)} ${word(index * 7 + 1)}.`];
    for (let length = 0; length < body.length;) {
      const source = sources[random(3)] ?? [];
      const part = source[random(source.length)] ?? '';
      parts.push(part);
      length += part.length + 2;
    }
    const name = `${metadata.name.slice(0, 50)}-${index}`;
    return { name, version: '1.0.0', description: metadata.description, body: parts.join('\n\n'), resources: [], diagnostics: [] };
  }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A provider that answers at once and makes nothing, so that what is measured is the search. */
export function libraryProvider(skills: readonly Skill[]): SkillProvider {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const listed = skills.map(({ body: _body, resources: _resources, diagnostics: _diagnostics, ...metadata }) => metadata);
  const listing = deepFreeze({ skills: listed, diagnostics: [], complete: true });
  return {
    label: 'library',
    listSkills: async () => listing,
    getSkill: async (name) => byName.get(name) ?? null,
    readResource: async () => null,
  };
}

function word(seed: number): string {
  let [rest, text] = [(seed + 1) * 7_919, ''];
  while (rest > 0) {
    text += 'bcdfghklmnprstvz'[rest % 16] ?? '';
    text += 'aeiou'[rest % 5] ?? '';
    rest = Math.floor(rest / 16);
  }
  return text;
}
