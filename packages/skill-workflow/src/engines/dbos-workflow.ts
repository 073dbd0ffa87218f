import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import { dbosEngine, type DbosLike } from './dbos-engine.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** Options of {@link dbosWorkflow}. */
export interface DbosWorkflowOptions extends DurableWorkflowOptions {
  /** The name in DBOS, the same in processes that share a database. @default 'skill-workflow' */
  readonly name?: string | undefined;
  /**
   * How often DBOS recovers a run whose process died, before it gives up. Such a run has the status
   * `MAX_RECOVERY_ATTEMPTS_EXCEEDED` until `DBOS.resumeWorkflow`.
   * @default what DBOS does: 100
   */
  readonly maxRecoveryAttempts?: number | undefined;
}

/**
 * Registers a DBOS workflow that runs any workflow skill. Each call is a DBOS step: its result is
 * in PostgreSQL before the next one starts. After a crash, DBOS goes on with the recorded workflow;
 * finished calls do not run again, and the call that was running does.
 *
 * Call it once, before `DBOS.launch()`, in every process.
 *
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk';
 * import { parseWorkflow, type WorkflowTools } from '@repertoire/skill-workflow';
 * import { dbosWorkflow } from '@repertoire/skill-workflow/dbos';
 * import type { Skill } from '@repertoire/skills-core';
 *
 * export async function book(skill: Skill, tools: WorkflowTools, orderId: string): Promise<unknown> {
 *   const durable = dbosWorkflow(DBOS, { tools });
 *   await DBOS.launch();
 *   const workflow = parseWorkflow(skill, { tools: Object.keys(tools) });
 *   const handle = await DBOS.startWorkflow(durable, { workflowID: orderId })({ workflow, input: { orderId } });
 *   return (await handle.getResult()).output;
 * }
 * ```
 */
export function dbosWorkflow(
  dbos: DbosLike,
  { name = 'skill-workflow', maxRecoveryAttempts, ...options }: DbosWorkflowOptions,
): (request: DurableWorkflowRequest) => Promise<WorkflowResult> {
  // DBOS itself refuses to record the end of a run that was canceled or taken over.
  const run = async ({ workflow, input }: DurableWorkflowRequest): Promise<WorkflowResult> =>
    await executeWorkflow(workflow, { ...options, ...dbosEngine(dbos), input });
  return dbos.registerWorkflow(run, { name, ...(maxRecoveryAttempts !== undefined && { maxRecoveryAttempts }) });
}
