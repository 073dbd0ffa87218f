import { createSkillLock, lockedProvider } from '@repertoire/skill-trust/lock';
import type { SkillProvider } from '@repertoire/skills-core';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';

const folder = new URL('../../../../examples/skills/', import.meta.url);

/** The skills of the examples, from their folders. */
export function exampleSkills(): SkillProvider {
  return fileSystemSkillProvider({ label: 'examples', roots: [folder] });
}

/** The same, pinned, from a source that was opened anew. */
export async function lockedExamples(): Promise<SkillProvider> {
  return lockedProvider(exampleSkills(), await createSkillLock(exampleSkills()));
}
