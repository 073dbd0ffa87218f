import { isTrusted, SkillError, type Skill, type SkillWorkflows } from '@repertoire/skills-core';
import {
  describeWorkflowTool,
  errorForModel,
  frame,
  insideElement,
  workflowText,
  type SkillWorkflowRunner,
} from '@repertoire/skills-core/internal';
import { runSkillWorkflowTool } from './run-skill-workflow.ts';

/**
 * Lets an agent run workflow skills with a runner of the host's choice.
 */
export function skillWorkflowsOf(runner: SkillWorkflowRunner): SkillWorkflows {
  return {
    describeTool: describeWorkflowTool,
    tool: (environment) => runSkillWorkflowTool(environment, runner),
    describe({ names, report }, skill) {
      if (!hasWorkflow(skill)) return '';
      try {
        const { steps, inputSchema } = runner.describe(skill);
        return frame(
          'skill_workflow',
          {},
          `${workflowText(skill.name, steps, names.runWorkflow)}\n${insideElement(JSON.stringify(inputSchema))}`,
        );
      } catch (thrown) {
        if (!SkillError.isInstance(thrown)) throw thrown;
        report({
          code: 'workflow-not-offered',
          severity: 'warning',
          message: errorForModel(`The workflow of the skill cannot run: ${thrown.message}`),
          skill: skill.name,
        });
        return '';
      }
    },
  };
}

/**
 * Whether a skill has steps that may run: steps choose tools and their input, so the source must be
 * trusted.
 */
function hasWorkflow(skill: Pick<Skill, 'steps' | 'origin'>): boolean {
  return skill.steps !== undefined && isTrusted(skill);
}
