import { SkillError } from '@repertoire/skills-core';
import { oneLineOf } from '../one-line-of.ts';
import { promptRequest } from '../prompt/prompt-request.ts';
import { resolveArguments, type WorkflowData } from '../references/resolve-arguments.ts';
import { attemptCall } from './attempt-call.ts';
import type { ExecuteWorkflowOptions } from './execute-workflow.ts';
import { jsonOutput } from './json-output.ts';
import type { RunStep } from './run-step.ts';
import { stepPolicyOf } from './step-policy.ts';
import type { WorkflowCall } from './workflow-calls.ts';
import { toolFunction, type WorkflowCallContext, type WorkflowTools } from './workflow-tool-function.ts';

/** What every call of a run is given. */
export interface CallEnvironment extends Pick<ExecuteWorkflowOptions, 'workflowId' | 'generate' | 'approve' | 'policy' | 'signal'> {
  readonly workflow: string;
  readonly tools: WorkflowTools;
  readonly runStep: RunStep;
  readonly maxOutputCharacters: number;
}

/** The result of a call, and whether it was recorded earlier. */
export interface CallResult {
  readonly output: unknown;
  readonly replayed: boolean;
}

/**
 * Runs one call through the engine. Arguments follow from what is recorded, so no step is needed.
 */
export async function runCall(
  call: WorkflowCall,
  step: string,
  data: WorkflowData,
  environment: CallEnvironment,
  onRetry: (attempt: number, error: unknown) => void,
): Promise<CallResult> {
  const { workflow, workflowId, signal, runStep, maxOutputCharacters } = environment;
  const input = resolveArguments(call.input, { ...data, ...call.element });
  const idempotencyKey = workflowId === undefined ? undefined : `${workflowId}:${call.id}`;
  // A person is asked once, and takes as long as it takes.
  const policy = stepPolicyOf(call.question === undefined ? environment.policy : undefined, { step, tool: call.tool }, call.policy);
  let replayed = true;
  const output = await runStep(call.id, async (engineSignal) => {
    replayed = false;
    const work = async (context: WorkflowCallContext): Promise<unknown> =>
      jsonOutput(await perform(call, input, environment, context), maxOutputCharacters);
    return await attemptCall(work, { workflow, call: call.id, idempotencyKey, signal: engineSignal ?? signal }, policy, onRetry);
  });
  // Behind the engine's step, so that the answer is recorded, also a no.
  if (call.question !== undefined && output !== true) throw new SkillError('permission-denied', 'A person said no.');
  return { output, replayed };
}

async function perform(
  { tool, prompt, systemPrompt, question }: WorkflowCall,
  input: Readonly<Record<string, unknown>>,
  { tools, generate, approve }: CallEnvironment,
  context: WorkflowCallContext,
): Promise<unknown> {
  if (tool !== undefined) {
    const execute = toolFunction(tools, tool);
    if (execute === undefined) throw new SkillError('invalid-options', `There is no tool ${oneLineOf(tool)}. Pass it in tools.`);
    return await execute(input, context);
  }
  if (question !== undefined) {
    if (approve === undefined) throw new SkillError('invalid-options', 'A step asks a person. Pass approve.');
    // Only a plain yes is one.
    return (await approve({ question, input }, context)) === true;
  }
  if (generate === undefined) throw new SkillError('invalid-options', 'A prompt step needs a model. Pass generate.');
  const text: unknown = await generate(promptRequest(prompt ?? '', systemPrompt, input), context);
  if (typeof text !== 'string') throw new SkillError('step-failed', `generate returned ${oneLineOf(text)}. Return the text of the answer.`);
  return text;
}
