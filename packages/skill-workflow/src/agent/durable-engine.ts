import type { RunStep } from '../run/run-step.ts';

/** A durable engine in one run: `dbosEngine`, `cloudflareEngine` and so on. One for each run. */
export interface DurableEngine {
  /** Id of the run, the same after a crash. Keys of idempotency begin with it. */
  readonly workflowId: string;
  /** Runs a step and records its result; a resumed run gets the recorded one. */
  readonly runStep: RunStep;
  /**
   * Whether an error is a cancellation and no answer of a tool. @default errors of the engine are
   */
  readonly isInterrupt?: ((error: unknown) => boolean) | undefined;
}

/**
 * An engine that records nothing, for tests and for a first try without one.
 *
 * @param workflowId id of the run, with which keys of idempotency begin
 * @example
 * ```ts
 * import { durableAgent, memoryEngine } from '@repertoire/skill-workflow/agent';
 *
 * const durable = durableAgent(memoryEngine('run-1'));
 * export const key: string = await durable.callTool('call-1', async ({ idempotencyKey }) => idempotencyKey); // 'run-1:call-1'
 * ```
 */
export function memoryEngine(workflowId: string): DurableEngine {
  return { workflowId, runStep: async (_id, work) => await work() };
}
