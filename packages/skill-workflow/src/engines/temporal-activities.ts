import { SkillError } from '@repertoire/skills-core';
import {
  toolFunction,
  type ApprovalRequest,
  type Approve,
  type Generate,
  type GenerateRequest,
  type WorkflowCallContext,
  type WorkflowTools,
} from '../run/workflow-tool-function.ts';
import { withHeartbeat, type TemporalActivityContext } from './temporal-heartbeat.ts';

/** What an activity knows of its call. */
export type TemporalCallContext = Pick<WorkflowCallContext, 'workflow' | 'call' | 'idempotencyKey'>;

/** The activities of a workflow skill. */
export interface TemporalSkillActivities {
  /** Calls a tool of the worker. */
  callSkillTool(request: {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly context: TemporalCallContext;
  }): Promise<unknown>;
  /** Asks the model of the worker. */
  askSkillModel(request: { readonly request: GenerateRequest; readonly context: TemporalCallContext }): Promise<string>;
  /** Asks a person. */
  askSkillPerson(request: { readonly request: ApprovalRequest; readonly context: TemporalCallContext }): Promise<boolean>;
}

/** Options of {@link temporalActivities}. */
export interface TemporalActivitiesOptions {
  readonly tools: WorkflowTools;
  /** Asks the model for prompt steps. @default a prompt step fails */
  readonly generate?: Generate | undefined;
  /** Asks a person. The activity lasts until the answer. @default steps with `approve` fail */
  readonly approve?: Approve | undefined;
  /**
   * `() => Context.current()` of `@temporalio/activity`, for heartbeats and the signal.
   * @default no heartbeat, no signal, attempt 1
   */
  readonly current?: (() => TemporalActivityContext) | undefined;
}

/**
 * The activities of workflow skills, for `Worker.create({ activities })`. Finished activities do
 * not run again; one that ran when the worker died does.
 *
 * @throws {SkillError} `invalid-options` from an activity, for a tool that the worker does not
 *   have, and for a prompt step without `generate`
 * @example
 * ```ts
 * import { temporalActivities, type TemporalActivityContext } from '@repertoire/skill-workflow/temporal';
 *
 * // import { Context } from '@temporalio/activity'
 * declare const Context: { current(): TemporalActivityContext };
 *
 * export const activities = temporalActivities({
 *   tools: { add: ({ a, b }) => Number(a) + Number(b) },
 *   current: () => Context.current(),
 * });
 * ```
 */
export function temporalActivities({ tools, generate, approve, current }: TemporalActivitiesOptions): TemporalSkillActivities {
  return {
    callSkillTool: async ({ tool, input, context }) =>
      await withHeartbeat(current, async (call) => {
        const execute = toolFunction(tools, tool);
        if (execute === undefined)
          throw new SkillError('invalid-options', `This worker has no tool "${tool}". Pass it to temporalActivities.`);
        return (await execute(input, { ...context, ...call })) ?? null;
      }),
    askSkillModel: async ({ request, context }) =>
      await withHeartbeat(current, async (call) => {
        if (generate === undefined)
          throw new SkillError('invalid-options', 'This worker has no model. Pass generate to temporalActivities.');
        return await generate(request, { ...context, ...call });
      }),
    askSkillPerson: async ({ request, context }) =>
      await withHeartbeat(current, async (call) => {
        if (approve === undefined) throw new SkillError('invalid-options', 'This worker asks nobody. Pass approve to temporalActivities.');
        return (await approve(request, { ...context, ...call })) === true;
      }),
  };
}
