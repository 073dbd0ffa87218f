import { getting, listing, type MutantsOf } from './mutant.ts';

const wrong = 'a'.repeat(64);
let sources = 0;

export const heldMutants: MutantsOf<'held'> = {
  'held/place': {
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
  'held/content': {
    fault: 'tells a content that is not that of the files',
    mutate: (provider) => ({ ...getting(provider, (skill) => ({ ...skill, content: wrong })), contentOf: async () => undefined }),
  },
  'held/content-of': {
    fault: 'tells another content than it serves',
    mutate: (provider) => ({ ...provider, contentOf: async () => wrong }),
  },
  'held/other': {
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
  'held/digest': {
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
