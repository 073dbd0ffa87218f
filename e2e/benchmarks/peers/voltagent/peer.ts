import type { Library, Peer } from '../../src/peer.ts';

interface Skills {
  discoverSkills(): Promise<readonly unknown[]>;
  buildPrompt(): Promise<string | null>;
  indexSkills(): Promise<unknown>;
  search(query: string, options: object): Promise<readonly { readonly name: string }[]>;
}

interface Tool {
  readonly name: string;
  execute(input: object, context: object): Promise<unknown>;
}

interface VoltAgent {
  readonly NodeFilesystemBackend: new (options: object) => object;
  readonly Workspace: new (options: object) => { readonly skills: Skills; createSkillsToolkit(): { readonly tools: readonly Tool[] } };
}

/** `@voltagent/core`: the skills of a workspace. */
export async function importPeer(): Promise<Peer> {
  const name = '@voltagent/core';
  const { NodeFilesystemBackend, Workspace } = (await import(name)) as VoltAgent;
  const workspaceOf = (folder: string) =>
    new Workspace({
      id: 'benchmark',
      filesystem: { backend: new NodeFilesystemBackend({ rootDir: folder, virtualMode: true }) },
      skills: { rootPaths: ['/'], autoDiscover: false, autoIndex: false },
    });
  return {
    async open(folder: string): Promise<Library> {
      const workspace = workspaceOf(folder);
      const { length: skills } = await workspace.skills.discoverSkills();
      const { tools } = workspace.createSkillsToolkit();
      const context = { systemContext: new Map(), context: new Map() };
      const run = async (tool: string, input: object): Promise<string> =>
        String(await tools.find((one) => one.name === tool)?.execute(input, context));
      return {
        skills,
        listAgain: () => workspace.skills.discoverSkills(),
        catalog: async () => (await workspace.skills.buildPrompt()) ?? '',
        load: (skill) => run('workspace_read_skill', { skill_id: skill }),
        read: (skill, reference) => run('workspace_read_skill_reference', { skill_id: skill, reference }),
      };
    },
    async openSearch(folder) {
      const { skills } = workspaceOf(folder);
      await skills.discoverSkills();
      await skills.indexSkills();
      return async (request, topK) => (await skills.search(request, { mode: 'bm25', topK })).map((found) => found.name);
    },
  };
}
