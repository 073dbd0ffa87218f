import { lookOf, visibleName } from '../contract/look-alike.ts';
import type { SkillDiagnostic } from '../contract/skill-provider.ts';

/** A tool and the skill that names or brings it. */
export interface ToolOfSkill {
  readonly tool: string;
  readonly skill: string;
}

/**
 * Reports tools of skills that a person or a model takes for another tool, such as `search_orders` with a Cyrillic letter in it: names are compared byte by byte, so
 * that the two are not the same.
 *
 * @param known the tools that are there anyway, such as the host's
 * @example
 * ```ts
 * import { lookAlikeTools } from '@repertoire/skills-core/policy';
 *
 * export const problems = lookAlikeTools(['process_refund'], [{ tool: 'process-refund', skill: 'billing' }]); // one
 * ```
 */
export function lookAlikeTools(known: readonly string[], tools: readonly ToolOfSkill[]): SkillDiagnostic[] {
  const byLook = new Map<string, string>();
  for (const tool of known) byLook.set(lookOf(tool), tool);
  return tools.flatMap(({ tool, skill }): SkillDiagnostic[] => {
    const look = lookOf(tool);
    const other = byLook.get(look) ?? tool;
    if (!byLook.has(look)) byLook.set(look, tool);
    if (other === tool || known.includes(tool)) return [];
    return [
      {
        code: 'tool-near-collision',
        severity: 'warning',
        skill,
        message: `The tool ${visibleName(tool)} of skill ${visibleName(skill)} is easily taken for the tool ${visibleName(other)}, and is another one.`,
        fix: 'Correct the name if the same tool was meant; else rename one of the two.',
      },
    ];
  });
}
