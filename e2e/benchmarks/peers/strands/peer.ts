import type { Library, Peer } from '../../src/peer.ts';

interface Plugin {
  getAvailableSkills(): Promise<readonly unknown[]>;
  /** Both are private. An agent calls them before a run and in its tool; nothing else reaches them. */
  _injectSkillsXml(agent: object): void;
  _activateSkill(name: string, context: object): Promise<string>;
}

interface Strands {
  readonly Skill: { fromDirectory(folder: string): readonly unknown[] };
  readonly AgentSkills: new (options: object) => Plugin;
}

/** `@strands-agents/sdk`: its plugin for skills. */
export async function importPeer(): Promise<Peer> {
  const name = '@strands-agents/sdk/vended-plugins/skills';
  const { AgentSkills, Skill } = (await import(name)) as Strands;
  return {
    async open(folder: string): Promise<Library> {
      const skills = Skill.fromDirectory(folder);
      const plugin = new AgentSkills({ skills });
      const state = new Map<string, unknown>();
      const newAgent = () => ({
        systemPrompt: '',
        sandbox: {
          listFiles: () => {
            throw new Error('It has no files.');
          },
        },
        appState: { get: (key: string) => state.get(key), set: (key: string, value: unknown) => state.set(key, value) },
      });
      return {
        skills: skills.length,
        listAgain: () => plugin.getAvailableSkills(),
        async catalog() {
          const agent = newAgent();
          state.clear();
          await plugin.getAvailableSkills();
          plugin['_injectSkillsXml'](agent);
          return agent.systemPrompt;
        },
        load: (skill) => plugin['_activateSkill'](skill, { agent: newAgent() }),
      };
    },
  };
}
