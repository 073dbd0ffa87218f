import type { SkillProvider } from '@repertoire/skills-core';
import { SkillError } from '@repertoire/skills-core';
import { composeProviders } from '../../../src/providers/compose/compose-providers.ts';
import { testSkillProvider } from '../../../../skills-testkit/src/vitest.ts';
import { librarySource, parseLibrary, splitLibrary } from './library-source.ts';

for (const onCollision of ['first', 'last', 'rename', 'error'] as const) {
  // CON-7: several sources are a source.
  testSkillProvider({
    name: `composition of two sources (${onCollision})`,
    create: async (files) => {
      const [even, odd] = splitLibrary(parseLibrary(files));
      const sources = [librarySource('even', even), librarySource('odd', odd)] as const;
      return {
        provider: composeProviders(
          sources.map(({ provider }) => provider),
          { onCollision },
        ),
        change: async (changed) => {
          const parts = splitLibrary(parseLibrary(changed));
          sources.forEach((source, index) => source.set(parts[index]!));
        },
      };
    },
    failing: async () => ({ provider: composeProviders([failing('a'), failing('b')], { onCollision }) }),
    stalled: async (files) => ({
      provider: composeProviders([librarySource('live', parseLibrary(files)).provider, stalled('silent')].toReversed(), { onCollision }),
    }),
    abilities: ['watch', 'dispose', 'versions', 'raw'],
    trusted: true,
    knownFailures: [
      { id: 'origin/label', reason: 'the origin of a skill stays that of its source, so that it cannot gain trust by being composed' },
    ],
  });
}

// CON-7: also of one source, without exception.
testSkillProvider({
  name: 'composition of one source',
  create: async (files) => {
    const source = librarySource('skills', parseLibrary(files));
    return { provider: composeProviders([source.provider]), change: async (changed) => source.set(parseLibrary(changed)) };
  },
  abilities: ['watch', 'dispose', 'versions', 'raw'],
  trusted: true,
});

function failing(label: string): SkillProvider {
  const fail = () => Promise.reject(new SkillError('source-unavailable', 'The disk is away.', { source: label }));
  return { label, listSkills: fail, getSkill: fail, readResource: fail };
}

function stalled(label: string): SkillProvider {
  const wait = () => new Promise<never>(() => {});
  return { label, listSkills: wait, getSkill: wait, readResource: wait };
}
