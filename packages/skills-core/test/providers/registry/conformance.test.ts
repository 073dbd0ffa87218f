import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
// By path: a dependency on the testkit, which depends on this package, would be a circle.
import type { KnownFailure, SkillLibraryFiles } from '../../../../skills-testkit/src/index.ts';
import { testSkillProvider, type SkillProviderTestConfig } from '../../../../skills-testkit/src/vitest.ts';
import { parseLibrary } from '../compose/library-source.ts';

/** Files are made definitions before there is a provider: what could not be read never reaches it. */
const knownFailures: readonly KnownFailure[] = [
  { id: 'list/diagnostics', reason: 'bad files are left out before they become definitions' },
];
const shared: Pick<SkillProviderTestConfig, 'abilities' | 'knownFailures'> = { abilities: ['watch', 'versions', 'raw'], knownFailures };

/** A registry of a library, with its definitions changed by `as`, and how its library changes. */
function open(files: SkillLibraryFiles, as: (definition: SkillDefinition) => SkillDefinition, trusted = true) {
  const definitionsOf = (library: SkillLibraryFiles) => parseLibrary(library).skills.map(as);
  const provider = new SkillRegistry({ skills: definitionsOf(files), trusted });
  const change = async (changed: SkillLibraryFiles) => {
    provider.clear();
    for (const skill of definitionsOf(changed)) provider.register(skill);
  };
  return { provider, change };
}

// Contents as values.
testSkillProvider({
  ...shared,
  name: 'CON-1, CON-2, CON-5, CON-6: registry',
  create: async (files) => open(files, (definition) => definition),
  trusted: true,
});

// The same with loaders: nothing is read before it is asked for, and one that never answers can be given up.
testSkillProvider({
  ...shared,
  name: 'CON-5, CON-8: registry with lazy contents, not trusted',
  create: async (files) => {
    const reads: string[] = [];
    const lazy = (definition: SkillDefinition) =>
      lazily(definition, async (path, content) => (reads.push(`${definition.name}/${path}`), content));
    return { ...open(files, lazy, false), reads: () => reads };
  },
  trusted: false,
  stalled: async (files) => open(files, (definition) => lazily(definition, () => new Promise(() => undefined))),
});

// What a bundle is made of: sizes are known, contents are not there yet.
testSkillProvider({
  ...shared,
  name: 'CON-5, SRC-9: registry with files of known size',
  create: async (files) => {
    const reads: string[] = [];
    const sized = ({ resources = {}, ...definition }: SkillDefinition): SkillDefinition => ({
      ...definition,
      resources: Object.fromEntries(
        Object.entries(resources as Readonly<Record<string, string | Uint8Array>>).map(([path, content]) => [
          path,
          { size: new Blob([content as BlobPart]).size, read: () => (reads.push(`${definition.name}/${path}`), content) },
        ]),
      ),
    });
    return { ...open(files, sized), reads: () => reads };
  },
  trusted: true,
});

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
