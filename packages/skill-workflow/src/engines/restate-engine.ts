import type { DurableEngine } from '../agent/durable-engine.ts';
import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { executeWorkflow, type WorkflowResult } from '../run/execute-workflow.ts';
import type { RunStep } from '../run/run-step.ts';
import type { DurableWorkflowOptions, DurableWorkflowRequest } from './durable-workflow.ts';

/** A part of Restate's `RunOptions`. Durations are milliseconds. */
export interface RestateStepConfiguration {
  readonly maxRetryAttempts?: number;
  readonly maxRetryDuration?: number;
  readonly initialRetryInterval?: number;
  readonly maxRetryInterval?: number;
  readonly retryIntervalFactor?: number;
}

/** The part of a `RestatePromise` that is used here. */
export interface RestatePromiseLike<Value> extends PromiseLike<Value> {
  map<Mapped>(mapper: (value?: Value, failure?: Error) => Mapped): RestatePromiseLike<Mapped>;
}

/** The part of a Restate context that is used here. */
export interface RestateContextLike {
  run<Value>(name: string, work: () => Promise<Value>, options: RestateStepConfiguration): RestatePromiseLike<Value>;
  /** Aborted when this attempt is over: another one may run elsewhere. */
  request(): { readonly attemptCompletedSignal: AbortSignal };
}

/** The part of the module `@restatedev/restate-sdk` that is used here. */
export interface RestateModule {
  readonly RestatePromise: { race(promises: readonly RestatePromiseLike<unknown>[]): PromiseLike<unknown> };
  readonly TerminalError: new (message: string, options: { readonly cause: unknown; readonly metadata: Record<string, string> }) => Error;
}

/** Options of {@link restateEngine}. */
export interface RestateEngineOptions {
  /** How steps of the model and the source are repeated. @default one attempt */
  readonly step?: RestateStepConfiguration | undefined;
}

/**
 * Restate, for an agent: in a handler. A step that must not be retried throws a `TerminalError`,
 * which ends the run. Restate repeats a handler that throws anything else.
 *
 * Its SDK lets one promise be awaited at a time: with two, it gives the attempt up, and what is
 * under way runs again. So all steps under way are awaited as one.
 *
 * @param restate `import * as restate from '@restatedev/restate-sdk'`
 * @param key id of the run, such as `ctx.key`
 * @example
 * ```ts
 * import { durableAgent, type DurableAgent } from '@repertoire/skill-workflow/agent';
 * import { restateEngine, type RestateContextLike, type RestateModule } from '@repertoire/skill-workflow/restate';
 *
 * declare const restate: RestateModule;
 *
 * // In a handler of `restate.workflow`:
 * export function agentOf(context: RestateContextLike & { readonly key: string }): DurableAgent {
 *   return durableAgent(restateEngine(restate, context, context.key));
 * }
 * ```
 */
export function restateEngine(
  { RestatePromise }: RestateModule,
  context: RestateContextLike,
  key: string,
  { step = { maxRetryAttempts: 1 } }: RestateEngineOptions = {},
): DurableEngine {
  const underWay = new Map<RestatePromiseLike<void>, (error: unknown) => void>();
  let isAwaiting = false;

  async function awaitAll(): Promise<void> {
    isAwaiting = true;
    try {
      while (underWay.size > 0) {
        await untilAllHaveStarted();
        await RestatePromise.race([...underWay.keys()]);
      }
    } catch (error) {
      // A step that fails does not come here. The run was canceled.
      for (const reject of underWay.values()) reject(error);
      underWay.clear();
    } finally {
      isAwaiting = false;
    }
  }

  /** Calls that run at the same time start their steps one after another. */
  async function untilAllHaveStarted(): Promise<void> {
    for (let started = 0; started < underWay.size;) {
      started = underWay.size;
      await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    }
  }

  return {
    workflowId: key,
    async runStep<Value>(id: string, work: (signal?: AbortSignal) => Promise<Value>) {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      const running = context.run(id, async () => await work(context.request().attemptCompletedSignal), step);
      const mapped = running.map((value, failure) => {
        underWay.delete(mapped);
        if (failure === undefined) resolve(value as Value);
        else reject(failure);
      });
      underWay.set(mapped, reject);
      if (!isAwaiting) void awaitAll();
      return await promise;
    },
  };
}

/** Options of {@link runRestateWorkflow}. */
export interface RestateWorkflowOptions extends DurableWorkflowOptions, RestateEngineOptions {}

/**
 * Runs a workflow skill in a Restate handler: each call is a `ctx.run` with one attempt; `step`
 * changes that. A workflow that fails throws a `TerminalError`, with the code of the error in its
 * metadata, because Restate repeats a handler that throws anything else.
 *
 * @param restate `import * as restate from '@restatedev/restate-sdk'`
 * @param key id of the run, such as `ctx.key`
 * @throws {TerminalError} of Restate, for a workflow that fails: `metadata.code` is the code of the
 * {@link SkillError}, or `step-failed`
 * @example
 * ```ts
 * import * as restate from '@restatedev/restate-sdk';
 * import type { WorkflowTools } from '@repertoire/skill-workflow';
 * import { runRestateWorkflow, type DurableWorkflowRequest } from '@repertoire/skill-workflow/restate';
 *
 * declare const tools: WorkflowTools;
 *
 * const run = async (context: restate.WorkflowContext, request: DurableWorkflowRequest): Promise<unknown> =>
 *   (await runRestateWorkflow(restate, context, context.key, request, { tools })).output;
 * export const skillWorkflow = restate.workflow({ name: 'skill-workflow', handlers: { run } });
 * ```
 */
export async function runRestateWorkflow(
  restate: RestateModule,
  context: RestateContextLike,
  key: string,
  { workflow, input }: DurableWorkflowRequest,
  { step, ...options }: RestateWorkflowOptions,
): Promise<WorkflowResult> {
  const engine = restateEngine(restate, context, key, { step });
  let canceled: { readonly error: unknown } | undefined;
  const runStep: RunStep = async (id, work) => {
    // Restate reports a cancellation once. Without this, waiting branches would still start.
    if (canceled !== undefined) throw canceled.error;
    try {
      return await engine.runStep(id, work);
    } catch (error) {
      if (error instanceof restate.TerminalError && error.name === 'CancelledError') canceled ??= { error };
      throw error;
    }
  };
  try {
    return await executeWorkflow(workflow, { ...options, input, runStep, workflowId: key });
  } catch (cause) {
    if (canceled !== undefined) throw canceled.error;
    const code = SkillError.isInstance(cause) ? cause.code : 'step-failed';
    throw new restate.TerminalError(messageOf(cause), { cause, metadata: { code } });
  }
}
