import { createSkillLock, lockedProvider } from '@repertoire/skills-core/lock';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { SkillProvider } from '@repertoire/skills-core';

const folder = new URL('../../../../examples/skills/', import.meta.url);

/** The skills of the examples, from their folders. */
export function exampleSkills(): SkillProvider {
  return fileSystemSkillProvider({ label: 'examples', roots: [folder] });
}

/** The same, pinned, from a source that was opened anew. */
export async function lockedExamples(): Promise<SkillProvider> {
  return lockedProvider(exampleSkills(), await createSkillLock(exampleSkills()));
}
