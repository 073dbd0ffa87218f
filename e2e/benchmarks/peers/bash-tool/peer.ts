import { toolCall, type Library, type Peer } from '../../src/peer.ts';

interface Tool {
  readonly description: string;
  execute(input: object, call: object): Promise<unknown>;
}

interface Kit {
  readonly skill: Tool;
  readonly skills: readonly unknown[];
  readonly files: Readonly<Record<string, string>>;
  readonly instructions: string;
}

interface BashTool {
  experimental_createSkillTool(options: object): Promise<Kit>;
  createBashTool(options: object): Promise<{ readonly tools: { readonly readFile: Tool } }>;
}

/** `bash-tool` of Vercel: skills for the AI SDK, whose files lie in a shell in memory. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const { experimental_createSkillTool: createSkillTool, createBashTool } = (await load('bash-tool')) as BashTool;
  return {
    async open(folder: string): Promise<Library> {
      const kit = await createSkillTool({ skillsDirectory: folder });
      let shell: ReturnType<typeof createBashTool> | undefined;
      return {
        skills: kit.skills.length,
        // The description of its tool, and instructions for the shell that list the skills once more.
        catalog: async () => `${kit.skill.description}\n${kit.instructions}`,
        load: async (skillName) => JSON.stringify(await kit.skill.execute({ skillName }, toolCall)),
        async read(name, file) {
          shell ??= createBashTool({ files: kit.files, extraInstructions: kit.instructions });
          const answer = await (await shell).tools.readFile.execute({ path: `skills/${name}/${file}` }, toolCall);
          return (answer as { readonly content: string }).content;
        },
      };
    },
  };
}
