import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { assert, assertEqual, assertFound } from '../conformance/assert.ts';
import { ConformanceSetupError, type CaseContext, type CasesOf } from '../conformance/case-context.ts';
import { expectDiagnostics } from '../conformance/expect-diagnostics.ts';
import { assertSameAnswer } from '../conformance/in-order.ts';
import { heavyLibrary } from '../fixtures/body-libraries.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import {
  brokenNames,
  fieldsLibrary,
  goodNames,
  otherFields,
  partlyBrokenLibrary,
  standardFields,
} from '../fixtures/frontmatter-libraries.ts';
import { largeLibrary, largeLibrarySize } from '../fixtures/name-libraries.ts';
import { doublesLibrary, sideBySideLibrary } from '../fixtures/version-libraries.ts';

export const listCases: CasesOf<'list'> = {
  'list/shape': async ({ provide }) => {
    for (const library of [{ ...everydayLibrary, ...fieldsLibrary }, partlyBrokenLibrary]) {
      const listing = await (await provide(library)).listSkills();
      assert(typeof listing === 'object' && Array.isArray(listing?.skills), 'listSkills: expected { skills, diagnostics, complete }.');
      expectDiagnostics(listing.diagnostics, 'diagnostics of the list');
      assertEqual(typeof listing.complete, 'boolean', 'type of `complete`');
      for (const { name, description, version } of listing.skills) {
        assert(typeof name === 'string' && typeof description === 'string', `A skill of the list has no name or no description: ${name}.`);
        assert(version === null || typeof version === 'string', `${name}: \`version\` is ${String(version)}; it must be a text or null.`);
      }
    }
  },

  'list/level-1-only': async ({ open }) => {
    const { provider, reads } = await open(heavyLibrary());
    const before = reads?.().length ?? 0;
    const { skills } = await provider.listSkills();
    assertEqual(namesOf(skills), ['heavy', 'light'], 'names in the list');
    for (const skill of skills) {
      for (const key of ['body', 'resources']) assert(!(key in skill), `The list has ${key} of ${skill.name}; that belongs to level 2.`);
    }
    const read = (reads?.() ?? []).slice(before).filter((path) => !/^[^/]+\/SKILL\.md$/.test(path));
    assertEqual(read, [], 'read for the list besides frontmatters');
  },

  'list/standard-fields': async ({ provide }) => {
    const [skill] = (await (await provide(fieldsLibrary)).listSkills()).skills;
    for (const [field, value] of Object.entries(standardFields)) assertEqual(skill?.[field as keyof typeof standardFields], value, field);
  },

  'list/other-fields': async ({ provide }) => {
    const [skill] = (await (await provide(fieldsLibrary)).listSkills()).skills;
    for (const [field, value] of Object.entries(otherFields))
      assertEqual(skill?.fields?.[field], value, `fields[${JSON.stringify(field)}]`);
  },

  'list/bad-skill': async ({ provide }) => {
    const provider = await provide(partlyBrokenLibrary);
    assertEqual(namesOf((await provider.listSkills()).skills), goodNames, 'names in the list');
    for (const name of brokenNames) assertEqual(await provider.getSkill(name), null, `getSkill(${JSON.stringify(name)})`);
    for (const path of ['references/notes.md', 'SKILL.md'])
      assertEqual(await provider.readResource('half-undescribed', path), null, `${path} of a bad skill`);
  },

  'list/diagnostics': async ({ provide }) => {
    const { diagnostics } = await (await provide(partlyBrokenLibrary)).listSkills();
    for (const name of brokenNames)
      assert(reports(diagnostics, name), `No diagnostic of severity "error" names ${name}, which the list left out.`);
  },

  'list/complete': async ({ provide }) => {
    const good = await (await provide(everydayLibrary)).listSkills();
    assertEqual(good.complete, true, '`complete` of a source without faults');
    assertEqual(
      good.diagnostics.filter(({ severity }) => severity === 'error'),
      [],
      'errors of a source without faults',
    );
    assertEqual((await (await provide(partlyBrokenLibrary)).listSkills()).complete, true, '`complete` of a source with bad skills');
  },

  'list/unique': async (context) => {
    for (const library of [sideBySideLibrary, partlyBrokenLibrary]) expectUnique(await (await context.provide(library)).listSkills());
    const provider = await providerOfDoubles(context);
    if (provider === null) return;
    const listing = await provider.listSkills();
    expectUnique(listing);
    for (const { name, version } of listing.skills) assertFound(await provider.getSkill(name, { version }), `${name}, which is listed`);
  },

  'list/empty': async ({ provide }) => {
    const provider = await provide({});
    const { skills, complete } = await provider.listSkills();
    assertEqual([skills, complete], [[], true], 'the list, and `complete`');
    assertEqual(await provider.getSkill('anything'), null, 'getSkill');
  },

  'list/stable': async ({ provide }) => {
    const provider = await provide(largeLibrary);
    const first = await provider.listSkills();
    assertEqual(first.skills.length, largeLibrarySize, 'number of skills');
    assertEqual(new Set(namesOf(first.skills)).size, largeLibrarySize, 'number of different names');
    assertSameAnswer(await provider.listSkills(), first, 'the second list');
  },
};

function namesOf(skills: readonly { readonly name: string }[]): string[] {
  return skills.map(({ name }) => name).sort();
}

function reports(diagnostics: readonly SkillDiagnostic[], name: string): boolean {
  return diagnostics.some(
    ({ severity, skill, path }) => severity === 'error' && (skill === name || path?.split(/[/\\]/).includes(name) === true),
  );
}

function expectUnique({ skills }: SkillListing): void {
  const keys = skills.map(({ name, version }) => JSON.stringify([name, version]));
  assertEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
    'names and versions that are listed twice',
  );
}

/** Storage may reject two skills of the same name and version; then there is nothing to list. */
async function providerOfDoubles({ provide }: CaseContext) {
  try {
    return await provide(doublesLibrary);
  } catch (error) {
    if (error instanceof ConformanceSetupError) return null;
    throw error;
  }
}
