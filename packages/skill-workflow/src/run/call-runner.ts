import { SkillError } from '@repertoire/skills-core';
import { oneLineOf } from '../one-line-of.ts';
import { promptRequest } from '../prompt/prompt-request.ts';
import { inputReferences } from '../references/input-paths.ts';
import { resolveArguments, type WorkflowData } from '../references/resolve-arguments.ts';
import type { Workflow } from '../workflow.ts';
import { attemptCall } from './attempt-call.ts';
import type { ExecuteWorkflowOptions } from './execute-workflow.ts';
import { jsonOutput, maxOutputCharactersOf } from './json-output.ts';
import { runStepInMemory } from './run-step.ts';
import { stepPolicyOf } from './step-policy.ts';
import { callsOfStep, type WorkflowCall } from './workflow-calls.ts';
import { toolFunction, type WorkflowCallContext } from './workflow-tool-function.ts';

/**
 * Runs one call of the step through the engine. Arguments follow from what is recorded, so no step
 * is needed for them. `replayed` says whether the result was recorded earlier.
 */
export type RunCall = (
  call: WorkflowCall,
  step: string,
  data: WorkflowData,
  onRetry: (attempt: number, error: unknown) => void,
) => Promise<{ readonly output: unknown; readonly replayed: boolean }>;

/**
 * Returns what runs the calls of a workflow, after it was checked that nothing is missing.
 *
 * @throws {SkillError} `invalid-options` for a tool or a model that is missing, and for a policy
 *   that cannot work
 */
export function callRunner({ name: workflow, steps }: Workflow, options: ExecuteWorkflowOptions): RunCall {
  const { tools = {}, generate, approve, runStep = runStepInMemory, workflowId, policy, signal } = options;
  const maxOutputCharacters = maxOutputCharactersOf(options.maxOutputCharacters);
  const refuse = (what: string, pass: string): never => {
    throw new SkillError('invalid-options', `The workflow "${workflow}" ${what}. Pass ${pass}.`, { skill: workflow });
  };

  const calls = steps.flatMap((step) => callsOfStep(step).map((call) => ({ call, step: step.name })));
  const missing = calls.flatMap(({ call: { tool } }) => (tool === undefined || toolFunction(tools, tool) !== undefined ? [] : `"${tool}"`));
  if (missing.length > 0) refuse(`calls ${[...new Set(missing)].join(', ')}, which is not in tools`, 'it');
  if (generate === undefined && calls.some(({ call }) => call.prompt !== undefined)) refuse('has prompt steps', 'generate');
  if (approve === undefined && calls.some(({ call }) => call.question !== undefined)) refuse('asks a person', 'approve');
  // A policy that cannot work is found here, not at the call that it is for.
  for (const { call, step } of calls) stepPolicyOf(policy, { step, tool: call.tool });

  const perform = async (
    { tool, prompt = '', systemPrompt, question }: WorkflowCall,
    data: WorkflowData['input'],
    context: WorkflowCallContext,
  ) => {
    if (tool !== undefined) {
      const execute = toolFunction(tools, tool);
      if (execute === undefined) throw new SkillError('invalid-options', `There is no tool ${oneLineOf(tool)}. Pass it in tools.`);
      return await execute(data, context);
    }
    // Only a plain yes is one.
    if (question !== undefined) return (await approve?.({ question, input: data }, context)) === true;
    const text: unknown = await generate?.(promptRequest(prompt, systemPrompt, data), context);
    if (typeof text !== 'string')
      throw new SkillError('step-failed', `generate returned ${oneLineOf(text)}. Return the text of the answer.`);
    return text;
  };

  return async (call, step, data, onRetry) => {
    const input = resolveArguments(call.input, { ...data, ...call.element });
    const idempotencyKey = workflowId === undefined ? undefined : `${workflowId}:${call.id}`;
    // A person is asked once, without a time limit.
    const own = stepPolicyOf(call.question === undefined ? policy : undefined, { step, tool: call.tool }, call.policy);
    let replayed = true;
    const output = await runStep(call.id, async (engineSignal) => {
      replayed = false;
      const context = { workflow, call: call.id, idempotencyKey, signal: engineSignal ?? signal };
      const work = async (attempt: WorkflowCallContext) => jsonOutput(await perform(call, input, attempt), maxOutputCharacters);
      return await attemptCall(work, context, own, onRetry);
    });
    // Behind the engine's step, so that the answer is recorded, also a no.
    if (call.question !== undefined && output !== true) throw new SkillError('permission-denied', 'A person said no.');
    return { output, replayed };
  };
}

/**
 * Checks that every reference to the input leads somewhere.
 *
 * @throws {SkillError} `invalid-input`, naming those that do not
 */
export function refuseMissingInput(workflow: Workflow, input: Readonly<Record<string, unknown>>): void {
  const missing = inputReferences(workflow).filter(({ text }) => !leadsSomewhere(text, input));
  if (missing.length === 0) return;
  const named = [...new Set(missing.map(({ text }) => text))].join(', ');
  const message = `The workflow "${workflow.name}" needs ${named}. Pass it in input; null counts as a value.`;
  throw new SkillError('invalid-input', message, { skill: workflow.name });
}

function leadsSomewhere(text: string, input: Readonly<Record<string, unknown>>): boolean {
  try {
    resolveArguments({ text }, { input, steps: {} });
    return true;
  } catch {
    return false;
  }
}
