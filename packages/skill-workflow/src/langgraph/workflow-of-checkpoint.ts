import { SkillError } from '@repertoire/skills-core';
import { parseWorkflow } from '../parse/parse-workflow.ts';
import type { Workflow, WorkflowStep } from '../workflow.ts';

/**
 * The workflow that a checkpoint holds, checked by the rules for the steps of a skill. Whoever can
 * write the checkpoint chose it, so nothing about its form is taken on trust. Its tools are checked
 * where the graph is made.
 *
 * @param name of the workflow that this graph is made of
 * @throws {SkillError} `invalid-options` if it is no workflow that can run, or that of another
 *   skill
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
function asWritten(step: WorkflowStep): Readonly<Record<string, unknown>> {
  const { attempts, retryDelayMs, timeoutMs } = step.policy ?? {};
  return withoutUndefined({
    name: step.name,
    ...actionOf(step),
    for_each: 'forEach' in step ? step.forEach : undefined,
    when: step.when,
    retry: attempts === undefined && retryDelayMs === undefined ? undefined : withoutUndefined({ attempts, delay_ms: retryDelayMs }),
    timeout_ms: timeoutMs,
  });
}

function actionOf(step: WorkflowStep): Readonly<Record<string, unknown>> {
  switch (step.type) {
    case 'tool':
      return { tool: step.tool, input: step.input };
    case 'tools':
      // A branch without a name has that of its tool, which may have letters that a name cannot.
      return { tools: step.branches.map(({ name, tool, input }) => (name === tool ? { tool, input } : { name, tool, input })) };
    case 'prompt':
      return { prompt: step.prompt, system_prompt: step.systemPrompt, input: step.input };
    case 'approval':
      return { approve: step.question, input: step.input };
  }
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function notRunnable(name: string, cause?: unknown): SkillError {
  return new SkillError(
    'invalid-options',
    `The checkpoint of this run of the workflow "${name}" holds no workflow of that name that can run. Start the run again, and let only this program write its checkpoints.`,
    { skill: name, cause },
  );
}
