import type { SkillDiagnostic } from '@repertoire/skills-core';
import { skillset } from './skillset.ts';

/** A skill, for display. */
export interface ListedSkill {
  readonly name: string;
  readonly description: string;
  readonly source: string | undefined;
  readonly trusted: boolean;
}

/** The skills of the agent, and their diagnostics. */
export async function listSkills(): Promise<{ skills: ListedSkill[]; diagnostics: readonly SkillDiagnostic[] }> {
  const { skills, diagnostics } = await skillset.provider.listSkills();
  return {
    skills: skills.map(({ name, description, origin }) => ({
      name,
      description,
      source: origin?.label,
      trusted: origin?.trusted ?? false,
    })),
    diagnostics,
  };
}
