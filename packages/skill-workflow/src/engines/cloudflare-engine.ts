import type { DurableEngine } from '../agent/durable-engine.ts';
import type { CloudflareStepConfiguration, CloudflareStepLike } from './cloudflare-workflow.ts';

/** Options of {@link cloudflareEngine}. */
export interface CloudflareEngineOptions {
  /** How steps of the model and the source are repeated. @default one attempt */
  readonly step?: CloudflareStepConfiguration | undefined;
}

/**
 * Cloudflare Workflows, for an agent: in `run(event, step)` of a class that extends
 * `WorkflowEntrypoint`.
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
