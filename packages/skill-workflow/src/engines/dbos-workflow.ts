import type { WorkflowResult } from '../run/execute-workflow.ts';
import { executeWorkflow } from '../run/execute-workflow.ts';
import type { RunStep } from '../run/run-step.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** The part of the class `DBOS` of `@dbos-inc/dbos-sdk` that is used here. */
export interface DbosLike {
  readonly workflowID: string | undefined;
  readonly stepStatus?: { readonly cancelSignal?: AbortSignal | undefined } | undefined;
  runStep<Value>(work: () => Promise<Value>, configuration: { readonly name: string }): Promise<Value>;
  registerWorkflow<Arguments extends unknown[], Value>(
    run: (...parameters: Arguments) => Promise<Value>,
    configuration: { readonly name: string },
  ): (...parameters: Arguments) => Promise<Value>;
}

/** Options of {@link dbosWorkflow}. */
export interface DbosWorkflowOptions extends DurableWorkflowOptions {
  /** The name under which DBOS records it. Processes that share a database share the name. @default 'skill-workflow' */
  readonly name?: string | undefined;
}

/**
 * Registers a DBOS workflow that runs any workflow skill. Each call is a DBOS step: its result is in PostgreSQL before the next one starts. After a crash, DBOS goes
 * on with the recorded workflow; finished calls do not run again, and the call that was running does.
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
  { name = 'skill-workflow', ...options }: DbosWorkflowOptions,
): (request: DurableWorkflowRequest) => Promise<WorkflowResult> {
  const run = async ({ workflow, input }: DurableWorkflowRequest): Promise<WorkflowResult> => {
    let fault: { readonly error: unknown } | undefined;
    const runStep: RunStep = async (id, work) => {
      try {
        return await dbos.runStep(async () => await work(dbos.stepStatus?.cancelSignal), { name: id });
      } catch (error) {
        if (isEngineError(error)) fault ??= { error };
        throw error;
      }
    };
    try {
      return await executeWorkflow(workflow, { ...options, input, runStep, workflowId: dbos.workflowID });
    } catch (error) {
      // DBOS knows its own errors: a workflow that was canceled, that another process took over, or whose steps changed has not failed at a step.
      throw fault === undefined ? error : fault.error;
    }
  };
  return dbos.registerWorkflow(run, { name });
}

/** DBOS does not export all of its error classes. */
function isEngineError(error: unknown): boolean {
  return error instanceof Error && /^DBOS\w*Error$/.test(error.constructor.name);
}
