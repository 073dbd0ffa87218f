import { SkillError } from '@repertoire/skills-core';
import type { DurableEngine } from '../agent/durable-engine.ts';

/** The part of the class `DBOS` of `@dbos-inc/dbos-sdk` that is used here. */
export interface DbosLike {
  readonly workflowID: string | undefined;
  readonly stepStatus?: { readonly cancelSignal?: AbortSignal | undefined } | undefined;
  runStep<Value>(work: () => Promise<Value>, configuration: { readonly name: string }): Promise<Value>;
}

/** How DBOS repeats a step that fails: a part of its `StepConfig`. */
export interface DbosStepConfiguration {
  readonly retriesAllowed?: boolean;
  readonly maxAttempts?: number;
  readonly intervalSeconds?: number;
  readonly backoffRate?: number;
}

/** Options of {@link dbosEngine}. */
export interface DbosEngineOptions {
  /** How steps of the model and the source are repeated. @default one attempt */
  readonly step?: DbosStepConfiguration | undefined;
}

/**
 * DBOS, for an agent or for `executeWorkflow`. Call it inside a registered workflow. Each step is
 * in PostgreSQL before the next one starts; after a crash, finished steps do not run again, and the
 * one that was running does.
 *
 * @throws {SkillError} `invalid-options` outside of a workflow
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk';
 * import { durableAgent } from '@repertoire/skill-workflow/agent';
 * import { dbosEngine } from '@repertoire/skill-workflow/dbos';
 *
 * declare function ask(prompt: string): Promise<string>;
 *
 * export const agent: (prompt: string) => Promise<string> = DBOS.registerWorkflow(
 *   async (prompt: string) => await durableAgent(dbosEngine(DBOS, { step: { retriesAllowed: true } })).askModel(() => ask(prompt)),
 *   { name: 'agent' },
 * );
 * ```
 */
export function dbosEngine(dbos: DbosLike, { step = {} }: DbosEngineOptions = {}): DurableEngine {
  const { workflowID: workflowId } = dbos;
  if (workflowId === undefined) {
    throw new SkillError(
      'invalid-options',
      'dbosEngine was called outside of a workflow of DBOS. Call it in the function that DBOS.registerWorkflow got.',
    );
  }
  return {
    workflowId,
    runStep: async (id, work) => await dbos.runStep(async () => await work(dbos.stepStatus?.cancelSignal), { ...step, name: id }),
  };
}
