import type { Library, Peer } from '../../src/peer.ts';

interface Tool {
  readonly name: string;
  runAsync(request: object): Promise<unknown>;
}

interface Adk {
  loadAllSkillsInDir(folder: string): Promise<Readonly<Record<string, unknown>>>;
  readonly SkillToolset: new (skills: object) => { getTools(): Promise<readonly Tool[]> };
}

/** `@google/adk`: its toolset of skills. */
export async function importPeer(): Promise<Peer> {
  const name = '@google/adk';
  const { loadAllSkillsInDir, SkillToolset } = (await import(name)) as Adk;
  return {
    async open(folder: string): Promise<Library> {
      const skills = await loadAllSkillsInDir(folder);
      const toolset = new SkillToolset(skills);
      const state = new Map<string, unknown>();
      const toolContext = {
        invocationId: '1',
        invocationContext: { agent: { name: 'benchmark' } },
        state: { get: (key: string) => state.get(key), set: (key: string, value: unknown) => state.set(key, value) },
      };
      const run = async (tool: string, args: object): Promise<string> => {
        const answer = await (await toolset.getTools()).find((one) => one.name === tool)?.runAsync({ args, toolContext });
        if (answer === undefined || (typeof answer === 'object' && answer !== null && 'error' in answer))
          throw new Error(`${tool}: ${JSON.stringify(answer)}`);
        return typeof answer === 'string' ? answer : JSON.stringify(answer);
      };
      return {
        skills: Object.keys(skills).length,
        catalog: () => run('list_skills', {}),
        load: (skill) => run('load_skill', { skill_name: skill, name: skill }),
        read: (skill, file) => run('load_skill_resource', { skill_name: skill, path: file, resource_path: file }),
      };
    },
  };
}
