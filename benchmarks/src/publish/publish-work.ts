import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';

/** What the processes of one run publish. */
export interface PublishWork {
  readonly roots: readonly string[];
  /** Every file of every skill that is published. */
  readonly files: readonly string[];
  readonly skills: number;
  readonly bytes: number;
  /** How many files are read over MCP. */
  readonly reads: number;
}

/** Finds out what there is to publish below a folder. */
export async function findPublishWork(root: string, reads: number): Promise<PublishWork> {
  const provider = fileSystemSkillProvider({ roots: [root], limits: { depth: 12 } });
  const { skills } = await provider.listSkills();
  const files: string[] = [];
  let bytes = 0;
  for (const { name, version } of skills) {
    const skill = await provider.getSkill(name, { version });
    const main = await provider.readResource(name, 'SKILL.md', { version, maxBytes: 1 });
    if (skill === null || main === null) continue;
    const folder = fileURLToPath(String(skill.origin?.uri));
    files.push(path.join(folder, 'SKILL.md'));
    bytes += main.size;
    for (const resource of skill.resources) {
      files.push(path.join(folder, resource.path));
      bytes += resource.size ?? 0;
    }
  }
  return { roots: [root], files, skills: skills.length, bytes, reads };
}
