import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Library, Peer } from '../../src/peer.ts';

interface SkillsRef {
  readProperties(folder: string): Promise<unknown>;
  toPrompt(folders: readonly string[]): Promise<string>;
  parseFrontmatter(text: string): readonly [unknown, string];
}

/** `skills-ref`: the parser and the prompt of the standard's reference library. */
export async function importPeer(): Promise<Peer> {
  const name = 'skills-ref';
  const { readProperties, toPrompt, parseFrontmatter } = (await import(name)) as SkillsRef;
  return {
    async open(folder: string): Promise<Library> {
      // It has no function for a folder of skills.
      const list = async (): Promise<readonly string[]> => {
        const listed: string[] = [];
        for (const entry of await readdir(folder)) {
          const skill = path.join(folder, entry);
          try {
            await readProperties(skill);
            listed.push(skill);
          } catch {
            // A skill that it refuses is one that it does not list.
          }
        }
        return listed;
      };
      const skills = await list();
      return {
        skills: skills.length,
        listAgain: list,
        catalog: async () => await toPrompt(skills),
        load: async (skill) => parseFrontmatter(await readFile(path.join(folder, skill, 'SKILL.md'), 'utf8'))[1],
      };
    },
  };
}
