import { inCodeSkillProvider, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory } from '@repertoire/skills-testkit';
import type { ParityLibrary } from '../skills.ts';
import type { ParitySource } from './source.ts';

/** The skills as data of the program; what all other sources publish, too. */
export function inCodeLibrary({ label, trusted, files }: ParityLibrary): SkillProvider {
  const skills = [...groupBySkillDirectory(files)].map(([directoryName, group]) => {
    const { definition } = skillFromFiles(group, { directoryName });
    if (definition === null) throw new Error(`${directoryName} is no skill.`);
    return definition;
  });
  return inCodeSkillProvider(skills, { label, trusted });
}

export const inCodeSource: ParitySource = {
  name: 'in code',
  open: async (library) => ({ provider: inCodeLibrary(library), close: async () => {} }),
};
