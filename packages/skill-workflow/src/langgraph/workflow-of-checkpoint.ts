import { SkillError } from '@repertoire/skills-core';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import type { Workflow } from '../workflow.ts';

/**
 * The workflow that a checkpoint holds, checked by the rules for the steps of a skill. Whoever can write the checkpoint chose it, so nothing about its form is taken on
 * trust. Its tools are checked where the graph is made.
 *
 * @param name of the workflow that this graph is made of
 * @throws {SkillError} `invalid-options` if it is no workflow that can run, or that of another skill
 */
export function workflowOfCheckpoint(recorded: unknown, name: string): Workflow {
  try {
    const { name: own, version, steps } = recorded as Workflow;
    const workflow = parseWorkflow({ name, version, steps: steps.map(asWritten) }, { allowUntrusted: true });
    if (own === name && (version === null || typeof version === 'string')) return workflow;
  } catch (cause) {
    throw notRunnable(name, cause);
  }
  throw notRunnable(name);
}

/** A step as an author writes it. */
function asWritten(step: Workflow['steps'][number]): Readonly<Record<string, unknown>> {
  const { name } = step;
  if (step.type === 'tool') return { name, tool: step.tool, input: step.input };
  // A branch without a name has that of its tool, which may have letters that a name cannot.
  if (step.type === 'tools')
    return {
      name,
      tools: step.branches.map((branch) => (branch.name === branch.tool ? { tool: branch.tool, input: branch.input } : branch)),
    };
  const { prompt, systemPrompt, input } = step;
  return { name, prompt, input, ...(systemPrompt !== undefined && { system_prompt: systemPrompt }) };
}

function notRunnable(name: string, cause?: unknown): SkillError {
  return new SkillError(
    'invalid-options',
    `The checkpoint of this run of the workflow "${name}" holds no workflow of that name that can run. Start the run again, and let only this program write its checkpoints.`,
    { skill: name, cause },
  );
}
