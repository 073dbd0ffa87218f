import type { OpenRequest } from '@repertoire/skills-core';
import type { ContextArguments } from '@repertoire/skills-core/adapter';
import { jsonOutput, maxOutputCharactersOf } from '../run/json-output.ts';
import type { StepWork } from '../run/run-step.ts';
import type { DurableEngine } from './durable-engine.ts';
import { openDurableSkills, type DurableSkills, type DurableSkillsOptions } from './durable-skills.ts';
import { outputOf, recordAnswer } from './recorded-failure.ts';
import { StepIds, Turns } from './turns.ts';

/** What a tool gets that runs as a step. */
export interface DurableCall {
  /** `<workflow id>:<tool call id>`, the same if the call runs again after a crash. */
  readonly idempotencyKey: string;
  /** The engine's own signal, where it has one. */
  readonly signal: AbortSignal | undefined;
}

/** Options of {@link durableAgent}. */
export interface DurableAgentOptions {
  /** The most characters of JSON of a tool's answer; errors are cut there. @default 500,000 */
  readonly maxOutputCharacters?: number | undefined;
}

/** An agent in a durable run. Each method records what the run cannot compute again. */
export interface DurableAgent {
  readonly workflowId: string;
  /**
   * Opens a session whose listing is recorded, and whose skill tools are steps. It judges and
   * writes by the recorded listing, also where the source has changed since.
   *
   * @throws {SkillError} what the provider rejects with if it cannot answer
   */
  openSkills<Context = undefined>(
    options: DurableSkillsOptions<Context>,
    ...request: ContextArguments<Context, OpenRequest<Context>>
  ): Promise<DurableSkills<Context>>;
  /** Asks the model, as a step. What it throws fails the step. The answer becomes JSON. */
  askModel<Answer>(ask: StepWork<Answer>): Promise<Answer>;
  /**
   * Calls a tool of the host, as a step. Judge the call before it: a call that is refused is then
   * no step, and a recorded answer is never given for it. What the tool throws is recorded as its
   * answer and thrown again in every run, so the model always reads the same words. The output is
   * JSON.
   */
  callTool<Output>(callId: string, call: (call: DurableCall) => Promise<Output>): Promise<Output>;
  /**
   * Orders calls that run at the same time: `work` judges one and calls it. Their steps start in
   * the order of these turns, however long the judging takes. Engines that number steps need that.
   * `work` gets the id to use, which is another one where a model used an id twice.
   */
  inTurn<Output>(callId: string, work: (callId: string) => Promise<Output>): Promise<Output>;
  /**
   * Throws the error that ended this run early: a cancellation, an interrupt, or a step that the
   * engine did not expect. A framework passes such an error to the model as the answer of a tool,
   * and its loop may then end without an error. So call this after the loop. `temporalAgent` does
   * it for you.
   */
  throwIfCut(): void;
  /** Does any other reading that the run needs, as a step. The result becomes JSON. */
  step<Value>(id: string, work: StepWork<Value>): Promise<Value>;
}

/**
 * Makes an agent whose listing, model calls, skill tool calls and host tools are steps of a durable
 * engine. Killed anywhere, it goes on in another process: finished steps do not run again, the one
 * that was running does, and the model reads the same bytes. Make one in each run of a workflow,
 * and nowhere else.
 *
 * @throws {SkillError} `invalid-options` for a limit that is no positive integer
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk';
 * import { durableAgent } from '@repertoire/skill-workflow/agent';
 * import { dbosEngine } from '@repertoire/skill-workflow/dbos';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * declare const provider: SkillProvider;
 * declare function ask(system: string): Promise<string>;
 *
 * export const agent: () => Promise<string> = DBOS.registerWorkflow(
 *   async () => {
 *     const durable = durableAgent(dbosEngine(DBOS));
 *     const { session } = await durable.openSkills({ provider });
 *     return await durable.askModel(() => ask(session.instructions('You are a support agent.')));
 *   },
 *   { name: 'agent' },
 * );
 * ```
 */
export function durableAgent(engine: DurableEngine, options: DurableAgentOptions = {}): DurableAgent {
  const maxCharacters = maxOutputCharactersOf(options.maxOutputCharacters);
  const ids = new StepIds();
  const turns = new Turns();
  let fault: { readonly error: unknown } | undefined;

  function throwIfCut(): void {
    if (fault !== undefined) throw fault.error;
  }

  async function runStep<Value>(id: string, work: StepWork<Value>): Promise<Value> {
    throwIfCut();
    try {
      return await engine.runStep(id, work);
    } catch (error) {
      if (engine.isInterrupt?.(error) === true) fault ??= { error };
      throw error;
    }
  }

  /**
   * Runs a tool as a step. Tools do not fail a step, so an error here is the engine's; the next
   * step throws it again.
   */
  async function toolStep<Value>(id: string, work: StepWork<Value>, started?: () => void): Promise<Value> {
    try {
      const running = runStep(id, work);
      started?.();
      return await running;
    } catch (error) {
      fault ??= { error };
      throw error;
    }
  }

  /** Waits for the turn of a call. A turn made its id unique when it began. */
  async function enter(callId: string): Promise<{ readonly unique: string; readonly pass: (() => void) | undefined }> {
    const turn = turns.startOf(callId);
    await turn?.before;
    return { unique: turn === undefined ? ids.next(`call ${callId}`).slice('call '.length) : callId, pass: turn?.pass };
  }

  async function callStep<Value>(callId: string, work: (call: DurableCall) => Promise<Value>): Promise<Value> {
    const { unique, pass } = await enter(callId);
    const idempotencyKey = `${engine.workflowId}:${unique}`;
    return await toolStep(`call ${unique}`, async (signal) => await work({ idempotencyKey, signal }), pass);
  }

  /**
   * Returns the engine for a call that is several steps. Its turn ends with the call: steps of two
   * calls would come in another order in another run.
   */
  async function enterCall(callId: string): Promise<{ readonly callId: string; readonly engine: DurableEngine }> {
    const { unique } = await enter(callId);
    return { callId: unique, engine: { ...engine, runStep: async (id, work) => await toolStep(ids.next(`call ${id}`), work) } };
  }

  const agent: DurableAgent = {
    workflowId: engine.workflowId,
    openSkills: (skills, ...[request = {}]) =>
      openDurableSkills({ step: async (id, work) => await runStep(ids.next(id), work), callStep, enterCall }, skills, {
        conversation: engine.workflowId,
        ...request,
      }),
    askModel: (ask) => agent.step('model', ask),
    async callTool<Output>(callId: string, call: (context: DurableCall) => Promise<Output>) {
      const answer = await callStep(callId, (context) => {
        // The engine may end the step; then the tool did not fail.
        const isCut = (error: unknown): boolean => context.signal?.aborted === true || engine.isInterrupt?.(error) === true;
        return recordAnswer(async () => jsonOutput(await call(context), maxCharacters), isCut, maxCharacters);
      });
      return outputOf(answer) as Output;
    },
    inTurn(callId, work) {
      const unique = ids.next(`call ${callId}`).slice('call '.length);
      return turns.run(unique, async () => await work(unique));
    },
    throwIfCut,
    async step<Value>(id: string, work: StepWork<Value>) {
      // An engine may return what the work returned to the first run, and what was written to
      // others.
      return (await runStep(ids.next(id), async (signal) => jsonOutput(await work(signal), Number.POSITIVE_INFINITY))) as Value;
    },
  };
  return agent;
}
