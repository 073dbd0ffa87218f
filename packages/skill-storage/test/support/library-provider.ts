import { SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import { skillFromFiles } from '@repertoire/skills-core/skill-md';
import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';

/** A library as a provider in code, without the skills that cannot be read; and the folders of those. */
export function libraryProvider(files: SkillLibraryFiles): { readonly provider: SkillProvider; readonly broken: readonly string[] } {
  const read = [...groupBySkillDirectory(files)].map(([directoryName, group]) => ({
    directoryName,
    isSkill: 'SKILL.md' in group,
    // The name is not checked against the folder: versions of one skill lie in folders of other names.
    definition: skillFromFiles(group).definition,
  }));
  return {
    provider: new SkillRegistry({ skills: read.flatMap(({ definition }) => (definition === null ? [] : [definition])) }),
    broken: read.filter(({ definition, isSkill }) => isSkill && definition === null).map(({ directoryName }) => directoryName),
  };
}
