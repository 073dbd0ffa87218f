import type { Library, Peer } from '../../src/peer.ts';

interface Skills {
  list(): Promise<readonly unknown[]>;
  search(query: string, options: object): Promise<readonly { readonly skillName: string }[]>;
}

interface Tool {
  execute(input: object, context: object): Promise<unknown>;
}

interface Mastra {
  readonly Workspace: new (options: object) => { readonly skills: Skills };
  readonly LocalFilesystem: new (options: object) => object;
  readonly createSkillTools: (skills: Skills) => { readonly skill: Tool; readonly skill_read: Tool };
  readonly SkillsProcessor: new (options: object) => { formatAvailableSkills(): Promise<string> };
}

/** `@mastra/core`: the skills of a workspace, their processor and tools. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const mastra = { ...(await load('@mastra/core/workspace')), ...(await load('@mastra/core/processors')) } as Mastra;
  const workspaceOf = (folder: string, options: object = {}) =>
    new mastra.Workspace({
      filesystem: new mastra.LocalFilesystem({ basePath: folder, contained: false }),
      skills: [folder],
      ...options,
    });
  return {
    async open(folder: string): Promise<Library> {
      const workspace = workspaceOf(folder);
      const { length: skills } = await workspace.skills.list();
      const tools = mastra.createSkillTools(workspace.skills);
      return {
        skills,
        listAgain: () => workspace.skills.list(),
        catalog: () => new mastra.SkillsProcessor({ workspace }).formatAvailableSkills(),
        load: async (name) => String(await tools.skill.execute({ name }, {})),
        read: async (skillName, path) => String(await tools.skill_read.execute({ skillName, path }, {})),
      };
    },
    async openSearch(folder) {
      const { skills } = workspaceOf(folder, { bm25: true });
      await skills.list();
      return async (request, limit) => {
        // Passages are ranked, of which one skill may have several.
        const found = await skills.search(request, { topK: limit * 5 });
        return [...new Set(found.map(({ skillName }) => skillName))].slice(0, limit);
      };
    },
  };
}
