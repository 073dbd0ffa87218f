import type { DurableEngine } from '../agent/durable-engine.ts';

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

/** Options of {@link cloudflareEngine}. */
export interface CloudflareEngineOptions {
  /** How each step is repeated and limited. @default one attempt, and Cloudflare's time limit */
  readonly step?: CloudflareStepConfiguration | undefined;
}

/**
 * Cloudflare Workflows, for an agent or for `executeWorkflow`: in `run(event, step)` of a class
 * that extends `WorkflowEntrypoint`. The step that was running when an instance was evicted runs
 * again, also with no retries.
 *
 * @example
 * ```ts
 * import { durableAgent, type DurableAgent } from '@repertoire/skill-workflow/agent';
 * import { cloudflareEngine, type CloudflareStepLike } from '@repertoire/skill-workflow/cloudflare';
 *
 * // In `run` of a class that extends WorkflowEntrypoint:
 * export function agentOf(event: { readonly instanceId: string }, step: CloudflareStepLike): DurableAgent {
 *   return durableAgent(cloudflareEngine(event, step, { step: { retries: { limit: 3, delay: 1_000 } } }));
 * }
 * ```
 */
export function cloudflareEngine(
  event: { readonly instanceId: string },
  step: CloudflareStepLike,
  { step: configuration = { retries: { limit: 0, delay: 0 } } }: CloudflareEngineOptions = {},
): DurableEngine {
  return {
    workflowId: event.instanceId,
    runStep: async (id, work) =>
      (await step.do(id, configuration, async () => (await work()) as never)) as Awaited<ReturnType<typeof work>>,
  };
}
