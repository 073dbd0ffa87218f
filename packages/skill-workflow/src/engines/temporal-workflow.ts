import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import { callsOfStep } from '../run/workflow-calls.ts';
import { WorkflowError } from '../run/workflow-error.ts';
import type { WorkflowProgressListener } from '../run/workflow-progress.ts';
import type { WorkflowCallContext, WorkflowTools } from '../run/workflow-tool-function.ts';
import type { Workflow } from '../workflow.ts';
import type { DurableWorkflowRequest } from './durable-workflow.ts';
import type { TemporalCallContext, TemporalSkillActivities } from './temporal-activities.ts';

/** The used part of `@temporalio/workflow`, which only works inside Temporal's sandbox. */
export interface TemporalWorkflowModule<ActivityOptions> {
  proxyActivities(options: ActivityOptions): unknown;
  workflowInfo(): { readonly workflowId: string };
  isCancellation(error: unknown): boolean;
  readonly CancellationScope: new () => { run<Value>(work: () => Promise<Value>): Promise<Value>; cancel(): void };
  readonly ApplicationFailure: { nonRetryable(message: string, type: string, ...details: unknown[]): Error };
}

/** Options of {@link temporalWorkflow}. */
export interface TemporalWorkflowOptions<ActivityOptions> {
  /**
   * `startToCloseTimeout`, `retry`. A worker that dies counts as an attempt: allow more than one.
   */
  readonly activities: ActivityOptions;
  /** How many branches of a step run at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Gets the progress, inside the sandbox; on a replay again. @default none */
  readonly onProgress?: WorkflowProgressListener | undefined;
}

/**
 * A Temporal workflow that runs any workflow skill. It schedules one activity for each call; the
 * worker provides them with `temporalActivities`. Export it from the module that `workflowsPath`
 * names.
 *
 * @example
 * ```ts
 * // Your workflow module: temporalWorkflow(temporal, { activities: { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 3 } } })
 * // with: import * as temporal from '@temporalio/workflow'
 * import { temporalWorkflow, type DurableWorkflowRequest, type TemporalWorkflowModule } from '@repertoire/skill-workflow/temporal';
 * import type { WorkflowResult } from '@repertoire/skill-workflow';
 *
 * type Options = { startToCloseTimeout: string; retry: { maximumAttempts: number } };
 * declare const temporal: TemporalWorkflowModule<Options>;
 *
 * export const skillWorkflow: (request: DurableWorkflowRequest) => Promise<WorkflowResult> = temporalWorkflow(temporal, {
 *   activities: { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 3 } },
 * });
 * ```
 */
export function temporalWorkflow<ActivityOptions>(
  temporal: TemporalWorkflowModule<ActivityOptions>,
  { activities, ...options }: TemporalWorkflowOptions<ActivityOptions>,
): (request: DurableWorkflowRequest) => Promise<WorkflowResult> {
  return async ({ workflow, input }) => {
    let canceled: { readonly error: unknown } | undefined;
    const proxies = temporal.proxyActivities(activities) as TemporalSkillActivities;
    /** Schedules an activity, and cancels it when its time limit is over. */
    const call = async <Value>({ signal }: WorkflowCallContext, schedule: () => Promise<Value>): Promise<Value> => {
      const scope = new temporal.CancellationScope();
      signal?.addEventListener('abort', () => scope.cancel(), { once: true });
      try {
        return await scope.run(schedule);
      } catch (error) {
        if (signal?.aborted !== true && temporal.isCancellation(error)) canceled ??= { error };
        // What the activity said is in the cause; the message is "Activity task failed".
        throw error instanceof Error && error.cause instanceof Error ? new Error(error.cause.message, { cause: error }) : error;
      }
    };
    const tools: WorkflowTools = Object.fromEntries(
      toolsOf(workflow).map((tool) => [
        tool,
        async (given, context) => await call(context, () => proxies.callSkillTool({ tool, input: given, context: plain(context) })),
      ]),
    );
    try {
      return await executeWorkflow(workflow, {
        ...options,
        input,
        tools,
        generate: async (request, context) => await call(context, () => proxies.askSkillModel({ request, context: plain(context) })),
        approve: async (request, context) => await call(context, () => proxies.askSkillPerson({ request, context: plain(context) })),
        workflowId: temporal.workflowInfo().workflowId,
      });
    } catch (error) {
      if (canceled !== undefined) throw canceled.error;
      // Any other error would fail the workflow task, which Temporal tries again for ever.
      const type = SkillError.isInstance(error) ? error.code : 'step-failed';
      const details = error instanceof WorkflowError ? [{ step: error.step, steps: error.steps, branches: error.branches }] : [];
      throw temporal.ApplicationFailure.nonRetryable(messageOf(error), type, ...details);
    }
  };
}

function toolsOf({ steps }: Workflow): string[] {
  return [...new Set(steps.flatMap((step) => callsOfStep(step).flatMap(({ tool }) => tool ?? [])))];
}

/** Leaves out the signal, which cannot be serialized. */
function plain({ workflow, call, idempotencyKey }: WorkflowCallContext): TemporalCallContext {
  return { workflow, call, idempotencyKey };
}
