import type { DurableEngine } from '../agent/durable-engine.ts';
import type { RestateContextLike } from './restate-workflow.ts';

/**
 * Restate, for an agent: in a handler. Restate repeats a step that fails, for ever by default; bound that with the retry policy of the service.
 *
 * @param key id of the run, such as `ctx.key`
 */
export function restateEngine(context: RestateContextLike, key: string): DurableEngine {
  return { workflowId: key, runStep: async (id, work) => await context.run(id, async () => await work()) };
}
