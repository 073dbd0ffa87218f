import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import type { RunStep } from '../run/run-step.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** The part of a Restate context that is used here. Restate journals by order, which is the same in every run. */
export interface RestateContextLike {
  run<Value>(name: string, work: () => Promise<Value>): PromiseLike<Value>;
}

/**
 * Runs a workflow skill in a Restate handler: each call is a `ctx.run`. Restate repeats a call that fails, for ever by default; bound that with the retry policy of the
 * service, or throw its `TerminalError`.
 *
 * @param key id of the run, such as `ctx.key`
 */
export async function runRestateWorkflow(
  context: RestateContextLike,
  key: string,
  { workflow, input }: DurableWorkflowRequest,
  options: DurableWorkflowOptions,
): Promise<WorkflowResult> {
  const runStep: RunStep = async (id, work) => await context.run(id, async () => await work());
  return await executeWorkflow(workflow, { ...options, input, runStep, workflowId: key });
}
