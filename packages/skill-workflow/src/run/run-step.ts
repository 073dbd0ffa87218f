/**
 * The one place where an engine comes in. It runs the work of a step, records the result under the
 * id, and returns it. When a run is resumed, it returns the recorded result and does not run the
 * work again.
 *
 * Ids are unique in a workflow and the same in every run. Calls come in the same order in every
 * run. Results are JSON.
 *
 * @param id `search` for a step, `research/flights` for a branch of a step
 */
export type RunStep = <Value>(id: string, work: StepWork<Value>) => Promise<Value>;

/** The work of a step. `signal` is aborted when the engine gives the step up. */
export type StepWork<Value> = (signal?: AbortSignal) => Promise<Value>;

/** Runs each step and records nothing. */
export const runStepInMemory: RunStep = async (_id, work) => await work();
