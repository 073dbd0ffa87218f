import type { SkillProvider } from '@repertoire/skills-core';
import { createSkillLock } from '../../src/lock/create-skill-lock.ts';
import { lockedProvider } from '../../src/lock/locked-provider.ts';
import { testSkillProvider } from '../../../skills-testkit/src/vitest.ts';
import { librarySource, parseLibrary } from '../../../skills-core/test/providers/compose/library-source.ts';

for (const mode of ['verify', 'frozen'] as const) {
  // GOV-9: a source that did not change is the same source behind its lock.
  testSkillProvider({
    name: `locked source (${mode})`,
    create: async (files) => {
      const { watch: _watch, ...provider } = librarySource('locked', parseLibrary(files)).provider;
      return { provider: lockedProvider(provider, await createSkillLock(provider), { mode }) };
    },
    stalled: async (files) => {
      const { provider } = librarySource('locked', parseLibrary(files));
      return { provider: lockedProvider(stalled(provider), await createSkillLock(provider), { mode }) };
    },
    abilities: ['versions', 'raw'],
    trusted: true,
  });
}

function stalled({ label }: SkillProvider): SkillProvider {
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
  return {
    label,
    listSkills: (options) => wait(options?.signal),
    getSkill: (_name, options) => wait(options?.signal),
    readResource: (_name, _path, options) => wait(options?.signal),
  };
}
