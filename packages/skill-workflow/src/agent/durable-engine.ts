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
