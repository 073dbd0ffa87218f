import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { workflowTool, type WorkflowSkillTool, type WorkflowToolOptions } from './workflow-tool.ts';

/** Options of {@link workflowTools}. */
export interface WorkflowToolsOptions extends Omit<WorkflowToolOptions, 'name' | 'source'> {
  /** Gets each workflow skill that is not offered, and the reason. @default nobody does */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/**
 * One tool for each skill that has steps, in the order of the skills. A skill that cannot be offered is left out and reported: its steps are wrong, the host does not
 * trust its source, a person alone may start it, or its tool would have the name of another one.
 *
 * @example
 * ```ts
 * import { workflowTools, type WorkflowSkillTool, type WorkflowTools } from '@repertoire/skill-workflow';
 * import type { SkillCatalog } from '@repertoire/skills-core';
 *
 * export function offerAll({ skills }: SkillCatalog, tools: WorkflowTools): WorkflowSkillTool[] {
 *   return workflowTools(skills, { tools, onDiagnostic: ({ message }) => console.warn(message) });
 * }
 * ```
 */
export function workflowTools(skills: readonly SkillMetadata[], { onDiagnostic, ...options }: WorkflowToolsOptions): WorkflowSkillTool[] {
  const made = new Map<string, WorkflowSkillTool>();
  for (const skill of skills) {
    if (skill.steps === undefined) continue;
    try {
      const tool = workflowTool(skill, options);
      const other = made.get(tool.name);
      if (other !== undefined)
        throw new SkillError('duplicate-skill', `Its tool would have the name ${tool.name}, which belongs to "${other.workflow.name}".`);
      made.set(tool.name, tool);
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      onDiagnostic?.({
        code: 'workflow-not-offered',
        severity: error.code === 'permission-denied' ? 'info' : 'warning',
        message: `The workflow "${skill.name}" is not offered as a tool. ${error.message}`,
        skill: skill.name,
      });
    }
  }
  return [...made.values()];
}
