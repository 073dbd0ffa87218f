import { SkillError } from '@repertoire/skills-core';

/** The error for words and options that cannot be used. A command ends with 2 for it. */
export function wrongUsage(message: string, details?: ConstructorParameters<typeof SkillError>[2]): SkillError {
  return new SkillError('invalid-options', message, details);
}
