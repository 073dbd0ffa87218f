import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { toolCall, type Library, type Peer } from '../../src/peer.ts';

interface Catalog {
  readonly skills: readonly unknown[];
  prompt(): string | null;
}

interface Tool {
  execute(input: object, call: object): Promise<unknown>;
}

interface CloudflareAgents {
  workspace(target: object, options: object): object;
  loadSkillCatalog(sources: readonly object[]): Promise<Catalog>;
  createSkillTools(catalog: Catalog): { readonly activate_skill: Tool; readonly read_skill_resource: Tool };
}

/** The files of this computer in the form that the package wants; it ships a source for its own workspaces and for R2. */
const workspace = {
  fs: {
    async find(folder: string) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.map((entry) => ({ path: path.join(entry.parentPath, entry.name), type: entry.isFile() ? 'file' : 'directory' }));
    },
    readFile: async (file: string) => new Blob([await readFile(file)]).stream(),
  },
};

/** `agents` of Cloudflare: its skills for Workers, with the tools for the AI SDK. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const agents = { ...(await load('agents/skills')), ...(await load('agents/skills/tools/ai-sdk')) } as CloudflareAgents;
  return {
    async open(folder: string): Promise<Library> {
      const source = agents.workspace(workspace, { root: folder });
      const catalog = await agents.loadSkillCatalog([source]);
      const tools = agents.createSkillTools(catalog);
      return {
        skills: catalog.skills.length,
        listAgain: () => agents.loadSkillCatalog([source]),
        catalog: async () => catalog.prompt() ?? '',
        load: async (name) => String(await tools.activate_skill.execute({ name }, toolCall)),
        read: async (name, file) => String(await tools.read_skill_resource.execute({ name, path: file }, toolCall)),
      };
    },
  };
}
