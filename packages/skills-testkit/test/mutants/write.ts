import type { MutantsOf, Whole } from './mutant.ts';

/** Faults in writing. */
export const writeMutants: MutantsOf<'write'> = {
  'write/replaces': {
    fault: 'keeps the old files beside the new ones',
    mutate: (provider) => changing(provider, (files) => ({ ...files, 'references/old.md': new TextEncoder().encode('Old.') })),
    alsoBreaks: ['write/adds-and-removes', 'write/one-of-two'],
  },
  'write/compares': {
    fault: 'writes over another content than the expected one',
    mutate: (provider) => ({
      ...provider,
      async write(name, files, options) {
        const first = await provider.write(name, files, options);
        return first.written || first.content === null || options.expected === null
          ? first
          : await provider.write(name, files, { expected: first.content });
      },
    }),
    alsoBreaks: ['write/one-of-two'],
  },
  'write/adds-and-removes': {
    fault: 'says that it removed a skill, and keeps it',
    mutate: (provider) => ({
      ...provider,
      write: async (name, files, options) =>
        files === null ? { written: true, content: null } : await provider.write(name, files, options),
    }),
  },
  'write/one-of-two': {
    fault: 'lets writers at once all write',
    mutate: (provider) => {
      let first: string | null = null;
      return {
        ...provider,
        async write(name, files, options) {
          const isAgain = options.expected !== null && options.expected === first;
          first = options.expected;
          const result = await provider.write(name, files, options);
          return result.written || !isAgain ? result : { written: true, content: result.content };
        },
      };
    },
  },
  'write/names': {
    fault: 'takes paths that differ by case only',
    mutate: (provider) =>
      changing(provider, (files) => Object.fromEntries(Object.entries(files).filter(([path]) => path !== 'references/A.md'))),
  },
};

function changing(provider: Whole, change: (files: Readonly<Record<string, Uint8Array>>) => Readonly<Record<string, Uint8Array>>): Whole {
  return { ...provider, write: (name, files, options) => provider.write(name, files === null ? null : change(files), options) };
}
