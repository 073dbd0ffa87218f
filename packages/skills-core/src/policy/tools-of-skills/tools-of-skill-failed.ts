import { messageOf } from '../../errors/message-of.ts';
import type { SkillDiagnostic } from '../../contract/skill-provider.ts';

/**
 * Returns the diagnostic for a source of tools that failed for one skill. The agent goes on without
 * these tools.
 *
 * @param skill name of the skill that brings the tools
 * @param error what the source threw
 */
export function toolsOfSkillFailed(skill: string, error: unknown): SkillDiagnostic {
  return {
    severity: 'error',
    code: 'skill-tools',
    skill,
    message: `The tools that skill ${JSON.stringify(skill)} brings cannot be loaded: ${messageOf(error)}`,
    fix: 'Make sure that the server or module exists and runs. Until then the skill is used without these tools.',
  };
}
