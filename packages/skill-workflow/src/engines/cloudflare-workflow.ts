import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import type { RunStep } from '../run/run-step.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** A part of `WorkflowStepConfig` of `cloudflare:workers`. */
export interface CloudflareStepConfiguration {
  /** `limit` is the number of further attempts, `delay` the milliseconds before each. */
  readonly retries?: { readonly limit: number; readonly delay: number; readonly backoff?: 'constant' | 'linear' | 'exponential' };
  /** Milliseconds that a step may take. */
  readonly timeout?: number;
}

/** The part of a `WorkflowStep` of `cloudflare:workers` that is used here. */
export interface CloudflareStepLike {
  // Cloudflare types a result as serializable; results of steps are JSON.
  do(name: string, configuration: CloudflareStepConfiguration, work: () => Promise<never>): Promise<unknown>;
}

/** The part of a `WorkflowEvent` of `cloudflare:workers` that is used here. */
export interface CloudflareEventLike {
  readonly payload: DurableWorkflowRequest;
  readonly instanceId: string;
}

/** Options of {@link runCloudflareWorkflow}. */
export interface CloudflareWorkflowOptions extends DurableWorkflowOptions {
  /** How each step is repeated and limited. @default one attempt, and Cloudflare's time limit */
  readonly step?: CloudflareStepConfiguration | undefined;
}

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
  { payload, instanceId }: CloudflareEventLike,
  step: CloudflareStepLike,
  { step: configuration = { retries: { limit: 0, delay: 0 } }, ...options }: CloudflareWorkflowOptions,
): Promise<WorkflowResult> {
  const runStep: RunStep = async (id, work) =>
    (await step.do(id, configuration, async () => (await work()) as never)) as Awaited<ReturnType<typeof work>>;
  return await executeWorkflow(payload.workflow, { ...options, input: payload.input, runStep, workflowId: instanceId });
}
