import { assertEqual, assertFound } from '../conformance/assert.ts';
import type { CasesOf } from '../conformance/case-context.ts';
import { sideBySideLibrary, sideBySideVersions, versionedLibrary } from '../fixtures/version-libraries.ts';

const about = 'references/about.md';

export const versionCases: CasesOf<'version'> = {
  'version/exact': async ({ provide }) => {
    const provider = await provide(versionedLibrary);
    const skill = assertFound(await provider.getSkill('report', { version: '1.10.0' }), 'report 1.10.0');
    assertEqual(skill.version, '1.10.0', 'version');
    assertFound(await provider.readResource('report', about, { version: '1.10.0' }), 'a file of report 1.10.0');
  },

  'version/unknown': async ({ provide }) => {
    const provider = await provide(versionedLibrary);
    for (const version of ['1.9.0', '1.10', '^1.0.0', '*', 'latest', '']) {
      assertEqual(await provider.getSkill('report', { version }), null, `report in version ${JSON.stringify(version)}`);
      assertEqual(
        await provider.readResource('report', about, { version }),
        null,
        `a file of report in version ${JSON.stringify(version)}`,
      );
    }
    assertEqual(await provider.getSkill('plain', { version: '1.0.0' }), null, 'a version of a skill without one');
  },
};

export const versionsCases: CasesOf<'versions'> = {
  'versions/order': async ({ provide }) => {
    const skills = await (await provide(sideBySideLibrary)).listSkills();
    const expected = [['aside', null], ...sideBySideVersions.map((version) => ['report', version ?? null]), ['reports', null]];
    assertEqual(
      skills.map(({ name, version }) => [name, version ?? null]),
      expected,
      'names and versions in the list',
    );
  },

  'versions/newest': async ({ provide }) => {
    const provider = await provide(sideBySideLibrary);
    assertEqual((await provider.getSkill('report'))?.version, sideBySideVersions[0], 'version where none is asked for');
    const resource = assertFound(await provider.readResource('report', about), 'a file where no version is asked for');
    assertEqual(new TextDecoder().decode(resource.bytes), `About ${sideBySideVersions[0]}.\n`, 'a file where no version is asked for');
  },

  'versions/own-files': async ({ provide }) => {
    const provider = await provide(sideBySideLibrary);
    for (const [index, version] of sideBySideVersions.entries()) {
      if (version === undefined) continue;
      const skill = assertFound(await provider.getSkill('report', { version }), `report ${version}`);
      assertEqual([skill.version, skill.body], [version, `These are the instructions of ${version}.`], `report ${version}`);
      assertEqual(
        skill.resources.map(({ path }) => path),
        [about, `references/only-in-${index}.md`],
        `files of report ${version}`,
      );
      const resource = assertFound(await provider.readResource('report', about, { version }), `a file of report ${version}`);
      assertEqual(new TextDecoder().decode(resource.bytes), `About ${version}.\n`, `a file of report ${version}`);
      assertEqual(
        await provider.readResource('report', `references/only-in-${index + 1}.md`, { version }),
        null,
        `a file of another version, of report ${version}`,
      );
    }
  },
};
