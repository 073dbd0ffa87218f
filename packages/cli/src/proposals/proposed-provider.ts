import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import type { SkillFilesByPath } from '@repertoire/skill-proposals';

/** A source that has the files of one skill, or nothing. */
export function proposedProvider(skill: string, files: SkillFilesByPath | null): SkillProvider {
  const definition = files === null ? null : skillFromFiles(files, { directoryName: skill }).definition;
  return new SkillRegistry({ skills: definition === null ? [] : [definition], label: 'proposed' });
}
