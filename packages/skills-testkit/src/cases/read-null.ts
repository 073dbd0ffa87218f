import type { SkillProvider } from '@repertoire/skills-core';
import { assertEqual, assertFound } from '../conformance/assert.ts';
import type { CaseContext, CasesOf } from '../conformance/case-context.ts';
import { everydayLibrary } from '../fixtures/everyday-library.ts';
import { prototypeNames } from '../fixtures/name-libraries.ts';
import { neighborsLibrary } from '../fixtures/resource-libraries.ts';

const skill = 'invoice-check';
const file = 'references/policy.md';

const hostilePaths: readonly string[] = [
  '..',
  '../',
  '../SKILL.md',
  '../../../../../../../../etc/passwd',
  'references/../../invoice-check/references/policy.md',
  'references/../references/policy.md',
  'references/..',
  '/etc/passwd',
  '/references/policy.md',
  '//references/policy.md',
  'C:/Windows/win.ini',
  'C:\\Windows\\win.ini',
  '\\\\server\\share\\file',
  '..\\..\\secret',
  'references\\policy.md',
  'references/policy.md\0',
  'references/policy.md\0.txt',
  '\0',
  'references/policy\n.md',
  'file:///etc/passwd',
  'https://example.invalid/policy.md',
  'data:text/plain,hello',
  '~/.profile',
  '%2e%2e/%2e%2e/etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '.%2e/secret',
  '%00',
  '\uff0e\uff0e/secret',
];

const otherSpellings: readonly string[] = [
  `./${file}`,
  `${file}/`,
  `${file}/.`,
  'references//policy.md',
  'references/./policy.md',
  'references%2Fpolicy.md',
  'references/policy%2Emd',
  `${file}?raw=1`,
  `${file}#top`,
  ` ${file}`,
  `${file} `,
];

export type ReadNullId = `read/${'unknown' | 'prototype-names' | 'hostile' | 'not-normal' | 'other-skill' | 'case'}`;

/** Cases that expect `null`. Each reads the real file last, so that always `null` fails. */
export const readNullCases: Pick<CasesOf<'read'>, ReadNullId> = {
  'read/unknown': async (context) => {
    const provider = await context.provide(everydayLibrary);
    assertEqual(await provider.readResource('no-such-skill', file), null, 'a file of an unknown skill');
    assertEqual(await provider.readResource('travel-plans', file), null, 'a file of a skill without files');
    await expectNull(provider, [
      'references/no-such-file.md',
      'no-such-folder/file.md',
      'policy.md',
      'references',
      'references/',
      'scripts',
      '',
      '.',
      './',
      '/',
      `${file}/${file}`,
    ]);
  },

  'read/prototype-names': (context) =>
    expectNullOf(context, [...prototypeNames, 'constructor', 'references/__proto__', 'constructor/prototype']),

  'read/hostile': (context) => expectNullOf(context, hostilePaths),

  'read/not-normal': (context) => expectNullOf(context, otherSpellings),

  'read/other-skill': async ({ provide }) => {
    const provider = await provide(neighborsLibrary);
    for (const path of [
      '../right/references/right.md',
      'references/../../right/references/right.md',
      'right/references/right.md',
      'references/right.md',
      '../right/SKILL.md',
    ]) {
      assertEqual(await provider.readResource('left', path), null, `readResource("left", ${JSON.stringify(path)})`);
    }
    assertEqual(
      await provider.readResource('left/../right', 'references/right.md'),
      null,
      'readResource("left/../right", "references/right.md")',
    );
    const { bytes } = assertFound(await provider.readResource('left', 'references/both.md'), 'the file of the same path');
    assertEqual(new TextDecoder().decode(bytes), 'This is on the left.\n', 'the file of the same path');
  },

  'read/case': (context) =>
    expectNullOf(context, ['References/policy.md', 'references/Policy.md', 'references/policy.MD', 'REFERENCES/POLICY.MD']),
};

async function expectNullOf({ provide }: CaseContext, paths: readonly string[]): Promise<void> {
  await expectNull(await provide(everydayLibrary), paths);
}

async function expectNull(provider: SkillProvider, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    assertEqual(await provider.readResource(skill, path), null, `readResource(${JSON.stringify(skill)}, ${JSON.stringify(path)})`);
  assertFound(await provider.readResource(skill, file), file);
}
