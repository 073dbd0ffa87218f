import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import type { SkillListing } from '@repertoire/skills-core/provider';
import type { DurableCall } from '../agent/durable-agent.ts';
import { toRecord } from '../agent/record-values.ts';
import { withHeartbeat, type TemporalActivityContext } from './temporal-heartbeat.ts';

/** What a tool of an agent knows of its call. */
export interface TemporalAgentCall extends DurableCall {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/** The activities of an agent with skills. What they take and return is JSON. */
export interface TemporalAgentActivities {
  /** The listing, and the tools that the worker's skills in code close. */
  listAgentSkills(): Promise<{ readonly listing: SkillListing; readonly gatedTools: readonly string[] }>;
  getAgentSkill(request: { readonly name: string; readonly version?: string | null | undefined }): Promise<unknown>;
  readAgentFile(request: {
    readonly name: string;
    readonly path: string;
    readonly version?: string | null | undefined;
    readonly maxBytes?: number | undefined;
  }): Promise<unknown>;
  askAgentModel(request: unknown): Promise<unknown>;
  callAgentTool(request: { readonly tool: string; readonly input: unknown; readonly idempotencyKey: string }): Promise<unknown>;
}

/** Options of {@link temporalAgentActivities}. */
export interface TemporalAgentActivitiesOptions {
  readonly provider: SkillProvider;
  /** The tools of the host, by name. */
  readonly tools?: Readonly<Record<string, (input: never, call: TemporalAgentCall) => unknown>> | undefined;
  /** Asks the model; for the AI SDK, `(request, signal) => aiSdkAnswer(model, request, signal)`. */
  readonly model: (request: never, signal: AbortSignal | undefined) => Promise<unknown>;
  /**
   * `() => Context.current()` of `@temporalio/activity`, for heartbeats and the signal.
   * @default no heartbeat, no signal, attempt 1
   */
  readonly current?: (() => TemporalActivityContext) | undefined;
}

/**
 * The activities of an agent with skills, for `Worker.create({ activities })`. Sources, models and
 * tools are only reached here.
 *
 * @throws {SkillError} `invalid-options` from an activity, for a tool that the worker does not
 *   have; whatever the source rejects with
 * @example
 * ```ts
 * import { temporalAgentActivities, type TemporalActivityContext, type TemporalAgentCall } from '@repertoire/skill-workflow/temporal';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * declare const provider: SkillProvider;
 * declare function ask(request: { readonly system: string; readonly prompt: string }): Promise<string>;
 * declare function charge(order: { readonly id: string }, call: TemporalAgentCall): Promise<string>;
 * declare const Context: { current(): TemporalActivityContext }; // of @temporalio/activity
 *
 * export const activities = temporalAgentActivities({ provider, tools: { charge }, model: ask, current: () => Context.current() });
 * ```
 */
export function temporalAgentActivities({ provider, tools = {}, model, current }: TemporalAgentActivitiesOptions): TemporalAgentActivities {
  return {
    listAgentSkills: () =>
      withHeartbeat(current, async ({ signal }) => ({
        listing: toRecord(await provider.listSkills({ signal })) as SkillListing,
        gatedTools: provider.gatedTools?.() ?? [],
      })),
    getAgentSkill: ({ name, version }) =>
      withHeartbeat(current, async ({ signal }) => toRecord(await provider.getSkill(name, { version, signal }))),
    readAgentFile: ({ name, path, version, maxBytes }) =>
      withHeartbeat(current, async ({ signal }) => toRecord(await provider.readResource(name, path, { version, maxBytes, signal }))),
    askAgentModel: (request) => withHeartbeat(current, async ({ signal }) => (await model(request as never, signal)) ?? null),
    callAgentTool: ({ tool, input, idempotencyKey }) =>
      withHeartbeat(current, async (call) => {
        const execute = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
        if (execute === undefined) {
          throw new SkillError('invalid-options', `This worker has no tool ${JSON.stringify(tool)}. Pass it to temporalAgentActivities.`);
        }
        return (await execute(input as never, { idempotencyKey, ...call })) ?? null;
      }),
  };
}
