import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import { cloudflareEngine, type CloudflareEngineOptions, type CloudflareStepLike } from './cloudflare-engine.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** The part of a `WorkflowEvent` of `cloudflare:workers` that is used here. */
export interface CloudflareEventLike {
  readonly payload: DurableWorkflowRequest;
  readonly instanceId: string;
}

/** Options of {@link runCloudflareWorkflow}. */
export interface CloudflareWorkflowOptions extends DurableWorkflowOptions, CloudflareEngineOptions {}

/**
 * Runs a workflow skill inside a Cloudflare Workflow: each call is a `step.do`. An instance that
 * was evicted or killed goes on with its recorded results. The step that was running runs again,
 * also with no retries, so give its idempotency key to whatever must happen once.
 *
 * @example
 * ```ts
 * import { runCloudflareWorkflow, type CloudflareEventLike, type CloudflareStepLike } from '@repertoire/skill-workflow/cloudflare';
 * import type { WorkflowTools } from '@repertoire/skill-workflow';
 *
 * declare const tools: WorkflowTools;
 *
 * // In a class that extends WorkflowEntrypoint:
 * export async function run(event: CloudflareEventLike, step: CloudflareStepLike): Promise<unknown> {
 *   return (await runCloudflareWorkflow(event, step, { tools })).output;
 * }
 * ```
 */
export async function runCloudflareWorkflow(
  event: CloudflareEventLike,
  step: CloudflareStepLike,
  { step: configuration, ...options }: CloudflareWorkflowOptions,
): Promise<WorkflowResult> {
  const { workflow, input } = event.payload;
  return await executeWorkflow(workflow, { ...options, ...cloudflareEngine(event, step, { step: configuration }), input });
}
