import type { createSkillSearch } from '@repertoire/skill-search';
import type { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { createSkillset, emptySkillState } from '@repertoire/skills-core';
import type { Library, Peer } from '../../src/peer.ts';

interface Repertoire {
  readonly createSkillset: typeof createSkillset;
  readonly emptySkillState: typeof emptySkillState;
  readonly fileSystemSkillProvider: typeof fileSystemSkillProvider;
}

interface Search {
  readonly createSkillSearch: typeof createSkillSearch;
}

/** The packages of this checkout as they were built, with the options that they have by default. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const repertoire = { ...(await load('@repertoire/skills-core')), ...(await load('@repertoire/skill-fs')) } as Repertoire;
  let searchModule: Search | undefined;
  return {
    async open(folder: string): Promise<Library> {
      const provider = repertoire.fileSystemSkillProvider({ roots: [folder] });
      const { skills } = await provider.listSkills();
      const skillset = repertoire.createSkillset({ provider });
      let session: ReturnType<typeof skillset.open> | undefined;
      const run = async (role: string, input: object): Promise<string> => {
        session ??= skillset.open();
        const tool = (await session).tools.find((one) => one.role === role);
        return (await tool?.execute(input, { state: repertoire.emptySkillState }))?.text ?? '';
      };
      return {
        skills: skills.length,
        listAgain: () => provider.listSkills(),
        async catalog() {
          session = skillset.open();
          return (await session).catalog.text;
        },
        load: (name) => run('load', { name }),
        read: (name, path) => run('readFile', { name, path }),
      };
    },
    async importSearch() {
      searchModule = (await load('@repertoire/skill-search')) as Search;
    },
    async openSearch(folder) {
      if (searchModule === undefined) throw new Error('importSearch was not called.');
      const { createSkillSearch } = searchModule;
      const search = createSkillSearch(repertoire.fileSystemSkillProvider({ roots: [folder] }));
      await search.refresh();
      return async (request, limit) => (await search.search(request, { limit })).candidates.map(({ name }) => name);
    },
  };
}
