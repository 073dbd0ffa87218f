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

  'version/null': async ({ provide, config }) => {
    const provider = await provide(versionedLibrary);
    assertEqual(assertFound(await provider.getSkill('plain', { version: null }), 'plain, by `version: null`').version, null, 'version');
    assertFound(await provider.readResource('plain', about, { version: null }), 'a file of plain, by `version: null`');
    assertEqual(await provider.getSkill('report', { version: null }), null, 'report, which has a version, by `version: null`');
    assertEqual(await provider.readResource('report', about, { version: null }), null, 'a file of report by `version: null`');
    if (config.abilities?.includes('versions') !== true) return;
    const versioned = await provide(sideBySideLibrary);
    const skill = assertFound(await versioned.getSkill('report', { version: null }), 'report without a version, beside its versions');
    assertEqual([skill.version, skill.body], [null, 'These are the instructions of no version.'], 'report by `version: null`');
    const resource = assertFound(await versioned.readResource('report', about, { version: null }), 'its file');
    assertEqual(new TextDecoder().decode(resource.bytes), 'About no version.\n', 'its file');
  },
};

export const versionsCases: CasesOf<'versions'> = {
  'versions/newest': async ({ provide }) => {
    const provider = await provide(sideBySideLibrary);
    assertEqual((await provider.getSkill('report'))?.version, sideBySideVersions[0], 'version where none is asked for');
    const resource = assertFound(await provider.readResource('report', about), 'a file where no version is asked for');
    assertEqual(new TextDecoder().decode(resource.bytes), `About ${sideBySideVersions[0]}.\n`, 'a file where no version is asked for');
  },

  'versions/own-files': async ({ provide, config }) => {
    const provider = await provide(sideBySideLibrary);
    const listed = (await provider.listSkills()).skills.filter(({ name }) => name === 'report').map(({ version }) => version);
    assertEqual(new Set(listed).size, sideBySideVersions.length, 'number of versions in the list');
    for (const [index, version] of sideBySideVersions.entries()) {
      const skill = assertFound(await provider.getSkill('report', { version }), `report ${version}`);
      assertEqual([skill.version, skill.body], [version, `These are the instructions of ${version ?? 'no version'}.`], `report ${version}`);
      assertEqual(skill.resources.map(({ path }) => path).sort(), [about, `references/only-in-${index}.md`], `files of report ${version}`);
      const resource = assertFound(await provider.readResource('report', about, { version }), `a file of report ${version}`);
      assertEqual(new TextDecoder().decode(resource.bytes), `About ${version ?? 'no version'}.\n`, `a file of report ${version}`);
      if (config.abilities?.includes('raw') === true) {
        const own = sideBySideLibrary[`report-${index}/SKILL.md`];
        const raw = assertFound(await provider.readResource('report', 'SKILL.md', { version }), `SKILL.md of report ${version}`);
        assertEqual(new TextDecoder().decode(raw.bytes), own, `SKILL.md of report ${version}`);
      }
      assertEqual(
        await provider.readResource('report', `references/only-in-${index + 1}.md`, { version }),
        null,
        `a file of another version, of report ${version}`,
      );
    }
  },
};
