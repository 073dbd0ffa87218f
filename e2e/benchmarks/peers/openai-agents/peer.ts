import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Library, Peer } from '../../src/peer.ts';

interface Tool {
  readonly name: string;
  invoke(context: object, input: string): Promise<unknown>;
}

interface Session {
  readonly state: { readonly manifest: object };
  readFile(request: object): Promise<Uint8Array>;
}

interface Skills {
  bind(session: Session): void;
  tools(): readonly Tool[];
  instructions(manifest: object): Promise<string>;
}

interface OpenAiAgents {
  localDirLazySkillSource(options: object): { getIndex(manifest: object, folder: string): readonly unknown[] };
  skills(options: object): Skills;
  readonly Manifest: new (options: object) => object;
  readonly UnixLocalSandboxClient: new (options: object) => { create(request: object): Promise<Session> };
  readonly RunContext: new () => object;
}

/** `@openai/agents`: the skills of its sandbox agents, from a folder of this computer. */
export async function importPeer(): Promise<Peer> {
  const load = async (name: string): Promise<object> => (await import(name)) as object;
  const agents = {
    ...(await load('@openai/agents/sandbox')),
    ...(await load('@openai/agents/sandbox/local')),
  } as OpenAiAgents;
  return {
    async open(folder: string): Promise<Library> {
      const source = agents.localDirLazySkillSource({ src: path.basename(folder), baseDir: path.dirname(folder) });
      const manifest = new agents.Manifest({ entries: {} });
      const { length: skills } = source.getIndex(manifest, '.agents');
      let staged: Promise<{ readonly load: Tool | undefined; readonly session: Session; readonly context: object }> | undefined;
      const stage = async () => {
        const { RunContext } = (await load('@openai/agents')) as OpenAiAgents;
        const session = await new agents.UnixLocalSandboxClient({ workspaceBaseDir: tmpdir() }).create({ manifest });
        const capability = agents.skills({ lazyFrom: source });
        capability.bind(session);
        return { load: capability.tools().find(({ name }) => name === 'load_skill'), session, context: new RunContext() };
      };
      const read = async (name: string, file: string): Promise<string> => {
        staged ??= stage();
        const { session } = await staged;
        return new TextDecoder().decode(await session.readFile({ path: `.agents/${name}/${file}` }));
      };
      return {
        skills,
        listAgain: async () => source.getIndex(manifest, '.agents'),
        catalog: () => agents.skills({ lazyFrom: source }).instructions(manifest),
        async load(name) {
          // Its tool copies the skill into the sandbox. The model then reads SKILL.md there.
          staged ??= stage();
          const tools = await staged;
          await tools.load?.invoke(tools.context, JSON.stringify({ skill_name: name }));
          return await read(name, 'SKILL.md');
        },
        read,
      };
    },
  };
}
