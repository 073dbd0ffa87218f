import { inCodeSkillProvider, type SkillDefinition } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
// By path: a dependency on the testkit, which depends on this package, would be a circle.
import { groupBySkillDirectory, type KnownFailure, type SkillLibraryFiles } from '../../../skills-testkit/src/index.ts';
import { testSkillProvider } from '../../../skills-testkit/src/vitest.ts';

/** Files are made definitions before there is a provider: what could not be read never reaches it. */
const knownFailures: readonly KnownFailure[] = [
  { id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' },
];

// Contents as values.
testSkillProvider({
  name: 'CON-1, CON-2, CON-5: inCodeSkillProvider',
  create: async (files) => ({ provider: inCodeSkillProvider(definitionsOf(files)) }),
  abilities: ['versions', 'raw'],
  knownFailures,
  trusted: true,
});

// The same with loaders: nothing is read before it is asked for, and one that never answers can be given up.
testSkillProvider({
  name: 'CON-5, CON-8: inCodeSkillProvider with lazy contents, not trusted',
  create: async (files) => {
    const reads: string[] = [];
    const definitions = definitionsOf(files).map((definition) =>
      lazily(definition, async (path, content) => (reads.push(`${definition.name}/${path}`), content)),
    );
    return { provider: inCodeSkillProvider(definitions, { label: 'bundle', trusted: false }), reads: () => reads };
  },
  abilities: ['versions', 'raw'],
  knownFailures,
  trusted: false,
  stalled: async (files) => ({
    provider: inCodeSkillProvider(definitionsOf(files).map((definition) => lazily(definition, () => new Promise(() => undefined)))),
  }),
});

// What a bundle is made of: sizes are known, contents are not there yet.
testSkillProvider({
  name: 'CON-5, SRC-9: inCodeSkillProvider with files of known size',
  create: async (files) => {
    const reads: string[] = [];
    const definitions = definitionsOf(files).map(({ resources = {}, ...definition }) => ({
      ...definition,
      resources: Object.fromEntries(
        Object.entries(resources as Readonly<Record<string, string | Uint8Array>>).map(([path, content]) => [
          path,
          { size: new Blob([content as BlobPart]).size, read: () => (reads.push(`${definition.name}/${path}`), content) },
        ]),
      ),
    }));
    return { provider: inCodeSkillProvider(definitions), reads: () => reads };
  },
  abilities: ['versions', 'raw'],
  knownFailures,
  trusted: true,
});

function definitionsOf(files: SkillLibraryFiles): SkillDefinition[] {
  return [...groupBySkillDirectory(files)].flatMap(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition ?? []);
}

function lazily(
  definition: SkillDefinition,
  load: (path: string, content: string | Uint8Array) => Promise<string | Uint8Array>,
): SkillDefinition {
  const { body, resources = {} } = definition;
  return {
    ...definition,
    body: async () => String(await load('SKILL.md#body', body as string)),
    resources: Object.fromEntries(
      Object.entries(resources).map(([path, content]) => [path, () => load(path, content as string | Uint8Array)]),
    ),
  };
}
