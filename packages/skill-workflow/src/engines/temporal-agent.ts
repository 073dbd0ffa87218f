import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import type { SkillListing } from '@repertoire/skills-core/provider';
import { durableAgent, type DurableAgent, type DurableAgentOptions } from '../agent/durable-agent.ts';
import { fromRecord } from '../agent/record-values.ts';
import { provideSha256 } from './sandbox-crypto.ts';
import type { TemporalAgentActivities } from './temporal-agent-activities.ts';
import type { TemporalWorkflowModule } from './temporal-workflow.ts';

/** Options of {@link temporalAgent}. */
export interface TemporalAgentOptions<ActivityOptions> extends DurableAgentOptions {
  /**
   * `startToCloseTimeout`, `retry`. A worker that dies counts as an attempt: allow more than one.
   */
  readonly activities: ActivityOptions;
  /** Label of the source, for messages. @default 'skills' */
  readonly label?: string | undefined;
}

/** What an agent has inside Temporal's sandbox. */
export interface TemporalAgentParts {
  /** Its steps are activities: those of the functions below. */
  readonly durable: DurableAgent;
  /** The worker's source. Each reading is an activity. */
  readonly provider: SkillProvider;
  /** Asks the worker's model. Request and answer are JSON. */
  askModel(request: unknown): Promise<unknown>;
  /** Calls a tool of the worker. */
  callTool(tool: string, input: unknown, idempotencyKey: string): Promise<unknown>;
}

/**
 * Makes a Temporal workflow that is an agent with skills. `run` is the loop, in the sandbox:
 * prompts, state and gates are computed there, and again on a replay. Reading skills, asking the
 * model and calling tools are activities, which the worker provides with `temporalAgentActivities`.
 * Export it from the module that `workflowsPath` names.
 *
 * @example
 * ```ts
 * // Your workflow module, with: import * as temporal from '@temporalio/workflow'
 * import { temporalAgent, type TemporalWorkflowModule } from '@repertoire/skill-workflow/temporal';
 *
 * type Options = { startToCloseTimeout: string; retry: { maximumAttempts: number } };
 * declare const temporal: TemporalWorkflowModule<Options>;
 *
 * export const agent: (prompt: string) => Promise<unknown> = temporalAgent(
 *   temporal,
 *   { activities: { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 3 } } },
 *   async ({ durable, provider, askModel }, prompt: string) => {
 *     const { session } = await durable.openSkills({ provider, gates: { tools: ['charge'] } });
 *     return await durable.askModel(() => askModel({ system: session.instructions('Help.'), prompt }));
 *   },
 * );
 * ```
 */
export function temporalAgent<ActivityOptions, Input extends readonly unknown[], Output>(
  temporal: TemporalWorkflowModule<ActivityOptions>,
  { activities, label = 'skills', ...options }: TemporalAgentOptions<ActivityOptions>,
  run: (parts: TemporalAgentParts, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => {
    provideSha256();
    const proxies = temporal.proxyActivities(activities) as TemporalAgentActivities;
    const provider = remoteProvider(proxies, label);
    let canceled: { readonly error: unknown } | undefined;
    const isInterrupt = (error: unknown): boolean => {
      if (temporal.isCancellation(error)) canceled ??= { error };
      return canceled !== undefined;
    };
    // The activities are what is recorded; a step around them needs no record.
    const durable = durableAgent(
      { workflowId: temporal.workflowInfo().workflowId, runStep: async (_id, work) => await work(), isInterrupt },
      options,
    );
    const saying = async <Value>(scheduled: Promise<Value>): Promise<Value> => {
      try {
        return await scheduled;
      } catch (error) {
        if (isInterrupt(error)) throw error;
        // What the activity said is in the cause; the message is "Activity task failed".
        throw error instanceof Error && error.cause instanceof Error ? withoutStack(error.cause) : error;
      }
    };
    try {
      const output = await run(
        {
          durable,
          provider,
          askModel: (request) => saying(proxies.askAgentModel(request)),
          callTool: (tool, given, idempotencyKey) => saying(proxies.callAgentTool({ tool, input: given, idempotencyKey })),
        },
        ...input,
      );
      durable.throwIfCut();
      return output;
    } catch (error) {
      if (canceled !== undefined) throw canceled.error;
      // Any other error would fail the workflow task, which Temporal tries again for ever.
      throw temporal.ApplicationFailure.nonRetryable(messageOf(error), SkillError.isInstance(error) ? error.code : 'agent-failed');
    }
  };
}

/** Makes a provider for the worker's source. Each read is an activity. */
function remoteProvider(proxies: TemporalAgentActivities, label: string): SkillProvider {
  let gatedTools: readonly string[] = [];
  return {
    label,
    gatedTools: () => gatedTools,
    async listSkills() {
      const listed = await proxies.listAgentSkills();
      ({ gatedTools } = listed);
      return fromRecord(listed.listing) as SkillListing;
    },
    // A signal cannot be serialized, and the workflow's cancellation reaches activities by itself.
    getSkill: async (name, { version } = {}) =>
      fromRecord(await proxies.getAgentSkill({ name, version })) as Awaited<ReturnType<SkillProvider['getSkill']>>,
    readResource: async (name, path, { version, maxBytes } = {}) =>
      fromRecord(await proxies.readAgentFile({ name, path, version, maxBytes })) as Awaited<ReturnType<SkillProvider['readResource']>>,
  };
}

function withoutStack(cause: Error): Error {
  const error = new Error(cause.message);
  const { type } = cause as { readonly type?: unknown };
  if (typeof type === 'string') error.name = type;
  return error;
}
