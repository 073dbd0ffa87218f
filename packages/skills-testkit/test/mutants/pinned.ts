import { getting, listing, type MutantsOf } from './mutant.ts';

const wrong = 'a'.repeat(64);
let sources = 0;

export const pinnedMutants: MutantsOf<'pinned'> = {
  'pinned/place': {
    fault: 'tells a place of this machine',
    mutate: (provider) => {
      const folder = `/tmp/source-${(sources += 1)}`;
      const placed = <Level extends { name: string; origin?: unknown }>(skill: Level): Level => ({
        ...skill,
        origin: { ...(skill.origin as object), place: `${folder}/${skill.name}` },
      });
      return listing(getting(provider, placed), (skills) => skills.map(placed));
    },
  },
  'pinned/content': {
    fault: 'tells a content that is not that of the files',
    mutate: (provider) => ({
      ...getting(provider, (skill) => ({ ...skill, content: wrong })),
      contentOf: async (name, options) => void (await provider.contentOf(name, options)),
    }),
  },
  'pinned/content-of': {
    fault: 'tells another content than it serves',
    mutate: (provider) => ({
      ...provider,
      async contentOf(name, options) {
        await provider.contentOf(name, options);
        return wrong;
      },
    }),
    alsoBreaks: ['pinned/content-follows'],
  },
  'pinned/content-follows': {
    fault: 'tells the first content for ever',
    mutate: (provider) => {
      const first = new Map<string, string | null | undefined>();
      return {
        ...provider,
        async contentOf(name, options) {
          const content = await provider.contentOf(name, options);
          if (!first.has(name)) first.set(name, content);
          return first.get(name);
        },
      };
    },
  },
  'pinned/other': {
    fault: 'says what it is asked for',
    mutate: (provider) => ({
      ...provider,
      async getSkill(name, options) {
        const skill = await provider.getSkill(name, { ...options, place: undefined, content: undefined });
        if (skill === null || options?.content === undefined) return skill;
        return { ...skill, content: options.content };
      },
    }),
  },
  'pinned/digest': {
    fault: 'gives every file the digest that it is asked for',
    mutate: (provider) => ({
      ...provider,
      async readResource(name, path, options) {
        const resource = await provider.readResource(name, path, { ...options, digest: undefined });
        return resource === null || options?.digest === undefined ? resource : { ...resource, digest: options.digest };
      },
    }),
  },
};
