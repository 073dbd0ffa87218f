import { assert, assertEqual } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { heavyLibrary } from '../fixtures/body-libraries.ts';
import {
  brokenNames,
  fieldsLibrary,
  goodNames,
  otherFields,
  partlyBrokenLibrary,
  standardFields,
} from '../fixtures/frontmatter-libraries.ts';
import { largeLibrary, largeLibrarySize, orderedNames, shuffledLibrary, unicodeLibrary, unicodeNames } from '../fixtures/name-libraries.ts';

export const listCases: CasesOf<'list'> = {
  'list/order': async ({ provide }) => {
    const skills = await (await provide(shuffledLibrary)).listSkills();
    assertEqual(namesOf(skills), orderedNames, 'names in the list');
  },

  'list/order-code-units': async ({ provide }) => {
    const skills = await (await provide(unicodeLibrary)).listSkills();
    assertEqual(namesOf(skills), unicodeNames, 'names in the list');
  },

  'list/level-1-only': async ({ open }) => {
    const { provider, reads } = await open(heavyLibrary());
    const before = reads?.().length ?? 0;
    const skills = await provider.listSkills();
    assertEqual(namesOf(skills), ['heavy', 'light'], 'names in the list');
    for (const skill of skills) {
      for (const key of ['body', 'resources']) assert(!(key in skill), `The list has ${key} of ${skill.name}; that belongs to level 2.`);
    }
    const read = (reads?.() ?? []).slice(before).filter((path) => !/^[^/]+\/SKILL\.md$/.test(path));
    assertEqual(read, [], 'read for the list besides frontmatters');
  },

  'list/standard-fields': async ({ provide }) => {
    const [skill] = await (await provide(fieldsLibrary)).listSkills();
    for (const [field, value] of Object.entries(standardFields)) assertEqual(skill?.[field as keyof typeof standardFields], value, field);
  },

  'list/other-fields': async ({ provide }) => {
    const [skill] = await (await provide(fieldsLibrary)).listSkills();
    for (const [field, value] of Object.entries(otherFields))
      assertEqual(skill?.fields?.[field], value, `fields[${JSON.stringify(field)}]`);
  },

  'list/bad-skill': async ({ provide }) => {
    const provider = await provide(partlyBrokenLibrary);
    assertEqual(namesOf(await provider.listSkills()), goodNames, 'names in the list');
    for (const name of brokenNames) assertEqual(await provider.getSkill(name), null, `getSkill(${JSON.stringify(name)})`);
    assertEqual(await provider.readResource('half-undescribed', 'references/notes.md'), null, 'a file of a bad skill');
  },

  'list/empty': async ({ provide }) => {
    const provider = await provide({});
    assertEqual(await provider.listSkills(), [], 'the list');
    assertEqual(await provider.getSkill('anything'), null, 'getSkill');
  },

  'list/stable': async ({ provide }) => {
    const provider = await provide(largeLibrary);
    const first = await provider.listSkills();
    assertEqual(first.length, largeLibrarySize, 'number of skills');
    assertEqual(new Set(namesOf(first)).size, largeLibrarySize, 'number of different names');
    assertEqual(await provider.listSkills(), first, 'the second list');
  },
};

function namesOf(skills: readonly { readonly name: string }[]): string[] {
  return skills.map(({ name }) => name);
}
