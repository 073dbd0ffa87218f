import type { Library, Peer } from '../../src/peer.ts';

interface Parsed {
  readonly ok: boolean;
  readonly skill: { readonly metadata: { readonly name: string; readonly description: string }; readonly body: string };
}

interface SkillTools {
  resolveSkillFiles(folder: string): Promise<readonly { readonly skillFile: string }[]>;
  parseSkill(file: string): Promise<Parsed>;
}

/** `@skill-tools/core`: a parser. What a model reads is left to its caller. */
export async function importPeer(): Promise<Peer> {
  const name = '@skill-tools/core';
  const { resolveSkillFiles, parseSkill } = (await import(name)) as SkillTools;
  return {
    async open(folder: string): Promise<Library> {
      const list = async (): Promise<readonly Parsed['skill'][]> => {
        const skills: Parsed['skill'][] = [];
        for (const { skillFile } of await resolveSkillFiles(folder)) {
          const parsed = await parseSkill(skillFile);
          if (parsed.ok) skills.push(parsed.skill);
        }
        return skills;
      };
      const skills = await list();
      return {
        skills: skills.length,
        listAgain: list,
        catalog: async () => skills.map(({ metadata }) => `- ${metadata.name}: ${metadata.description}`).join('\n'),
        load: async (skill) => skills.find(({ metadata }) => metadata.name === skill)?.body ?? '',
      };
    },
  };
}
