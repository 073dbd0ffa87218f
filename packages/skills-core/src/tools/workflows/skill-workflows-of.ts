import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { insideElement } from '../../prompt/escape.ts';
import { frame } from '../../prompt/frames.ts';
import { errorForModel } from '../../prompt/source-words.ts';
import { workflowText } from '../../prompt/workflow-texts.ts';
import { runSkillWorkflowTool } from './run-skill-workflow.ts';
import type { SkillWorkflowRunner, SkillWorkflows } from './skill-workflows.ts';

/**
 * Lets an agent run workflow skills with a runner of the host's choice. Use `skillWorkflows` of `@repertoire/skill-workflow` unless you write
 * a runner of your own.
 *
 * @example
 * ```ts
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 * import type { SkillWorkflowRunner } from '@repertoire/skills-core/internal';
 * import { skillWorkflowsOf } from '@repertoire/skills-core/workflows';
 *
 * export function withWorkflows(provider: SkillProvider, runner: SkillWorkflowRunner) {
 *   return createSkillset({ provider, workflows: skillWorkflowsOf(runner) });
 * }
 * ```
 */
export function skillWorkflowsOf(runner: SkillWorkflowRunner): SkillWorkflows {
  return {
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

/** Whether a skill has steps that may run: steps choose tools and their input, so the source must be trusted. */
function hasWorkflow(skill: Pick<Skill, 'steps' | 'origin'>): boolean {
  return skill.steps !== undefined && isTrusted(skill);
}
