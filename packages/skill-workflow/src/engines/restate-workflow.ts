import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import type { RunStep } from '../run/run-step.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';
import { restateEngine, type RestateContextLike, type RestateEngineOptions, type RestateModule } from './restate-engine.ts';

/** Options of {@link runRestateWorkflow}. */
export interface RestateWorkflowOptions extends DurableWorkflowOptions, RestateEngineOptions {}

/**
 * Runs a workflow skill in a Restate handler: each call is a `ctx.run` with one attempt; `step`
 * changes that. A workflow that fails throws a `TerminalError`, with the code of the error in its
 * metadata, because Restate repeats a handler that throws anything else.
 *
 * @param restate `import * as restate from '@restatedev/restate-sdk'`
 * @param key id of the run, such as `ctx.key`
 * @throws {TerminalError} of Restate, for a workflow that fails: `metadata.code` is the code of the
 * {@link SkillError}, or `step-failed`
 * @example
 * ```ts
 * import * as restate from '@restatedev/restate-sdk';
 * import type { WorkflowTools } from '@repertoire/skill-workflow';
 * import { runRestateWorkflow, type DurableWorkflowRequest } from '@repertoire/skill-workflow/restate';
 *
 * declare const tools: WorkflowTools;
 *
 * const run = async (context: restate.WorkflowContext, request: DurableWorkflowRequest): Promise<unknown> =>
 *   (await runRestateWorkflow(restate, context, context.key, request, { tools })).output;
 * export const skillWorkflow = restate.workflow({ name: 'skill-workflow', handlers: { run } });
 * ```
 */
export async function runRestateWorkflow(
  restate: RestateModule,
  context: RestateContextLike,
  key: string,
  { workflow, input }: DurableWorkflowRequest,
  { step, ...options }: RestateWorkflowOptions,
): Promise<WorkflowResult> {
  const engine = restateEngine(restate, context, key, { step });
  let canceled: { readonly error: unknown } | undefined;
  const runStep: RunStep = async (id, work) => {
    // Restate reports a cancellation once. Without this, waiting branches would still start.
    if (canceled !== undefined) throw canceled.error;
    try {
      return await engine.runStep(id, work);
    } catch (error) {
      if (error instanceof restate.TerminalError && error.name === 'CancelledError') canceled ??= { error };
      throw error;
    }
  };
  try {
    return await executeWorkflow(workflow, { ...options, input, runStep, workflowId: key });
  } catch (cause) {
    if (canceled !== undefined) throw canceled.error;
    const code = SkillError.isInstance(cause) ? cause.code : 'step-failed';
    throw new restate.TerminalError(messageOf(cause), { cause, metadata: { code } });
  }
}
