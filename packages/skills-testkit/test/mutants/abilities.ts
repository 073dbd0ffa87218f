import type { Skill } from '@repertoire/skills-core';
import type { MutantsOf } from './mutant.ts';

/** Faults in the optional abilities. */
export const abilityMutants: MutantsOf<'watch' | 'dispose'> = {
  'watch/tells': {
    fault: 'never tells',
    mutate: (provider) => ({ ...provider, watch: () => () => undefined }),
    alsoBreaks: ['pinned/content-follows', 'watch/fresh', 'watch/ends', 'watch/bursts'],
  },
  'watch/fresh': {
    fault: 'tells, and goes on serving what it has cached',
    mutate: (provider) => {
      const cache = new Map<string, Promise<Skill | null>>();
      return {
        ...provider,
        async getSkill(name, options) {
          if (name !== 'first' || options?.signal !== undefined) return provider.getSkill(name, options);
          const cached = cache.get(name) ?? provider.getSkill(name, options);
          cache.set(name, cached);
          return structuredClone(await cached);
        },
      };
    },
    alsoBreaks: ['pinned/content-follows'],
  },
  'watch/ends': {
    fault: 'goes on telling who ended the subscription',
    mutate: (provider) => ({
      ...provider,
      watch(onChange) {
        provider.watch(onChange);
        return () => undefined;
      },
    }),
  },
  'watch/bursts': {
    fault: 'tells once for every file',
    mutate: (provider) => ({
      ...provider,
      watch: (onChange) =>
        provider.watch(() => {
          for (let file = 0; file < 20; file += 1) onChange();
        }),
    }),
  },
  'dispose/twice': {
    fault: 'fails where it is disposed again, once',
    mutate: (provider) => {
      let times = 0;
      return {
        ...provider,
        async [Symbol.asyncDispose]() {
          times += 1;
          if (times === 2) throw new Error('It is closed already.');
          await provider[Symbol.asyncDispose]();
        },
      };
    },
    alsoBreaks: ['dispose/unavailable'],
  },
  'dispose/unavailable': {
    fault: 'answers after it was disposed',
    mutate: (provider) => ({ ...provider, [Symbol.asyncDispose]: async () => undefined }),
  },
};
