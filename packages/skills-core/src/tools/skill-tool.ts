import type { SkillMetadata } from '../contract/skill-provider.ts';
import type { SkillError } from '../errors/skill-error.ts';
import type { SkillQuestion } from '../policy/approvals/skill-question.ts';
import type { SkillFork } from '../policy/fork.ts';
import type { SkillEvent, SkillState } from '../state/skill-state.ts';
import type { SkillToolRole } from '../prompt/tool-names.ts';

/** JSON Schema (draft 2020-12) of an object, as model APIs take it. */
export interface SkillToolInputSchema {
  readonly type: 'object';
  readonly properties: Readonly<
    Record<
      string,
      {
        readonly type: 'string' | 'integer' | 'array' | 'object';
        readonly description: string;
        readonly minimum?: number;
        readonly items?:
          | { readonly type: 'string' }
          | {
              readonly type: 'object';
              readonly properties: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>;
              readonly required: readonly string[];
              readonly additionalProperties: false;
            };
      }
    >
  >;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A durable engine in one run. It records the result of each step, and a resumed run gets that. */
export interface SkillEngine {
  /** Id of the run, the same after a crash. Idempotency keys begin with it. */
  readonly workflowId: string;
  /**
   * Runs a step and records its result, which is JSON; a resumed run gets the recorded one.
   *
   * @param id unique in the run, and the same when it is resumed
   * @param work gets a signal that is aborted when the engine gives the step up
   */
  runStep<Value>(id: string, work: (signal?: AbortSignal) => Promise<Value>): Promise<Value>;
  /**
   * Whether an error is a cancellation and no answer of a tool. @default errors of the engine are
   */
  readonly isInterrupt?: ((error: unknown) => boolean) | undefined;
  /**
   * Keeps what a workflow loaded as it was when the workflow began.
   *
   * @returns ends it, when the workflow ends
   * @default it is looked up again for each call
   */
  readonly pin?: ((loaded: SkillEvent) => () => void) | undefined;
}

/** What a tool needs to know of the conversation that it is called in. */
export interface SkillToolContext {
  /** What this conversation has loaded. */
  readonly state: SkillState;
  /**
   * Whether the caller can run a skill in an agent of its own. Then loading a skill with
   * `context: fork` answers with `fork` instead of instructions.
   * @default false: such a skill is loaded like any other
   */
  readonly canFork?: boolean | undefined;
  /** Length of the conversation in tokens; a refresh policy needs it. */
  readonly at?: number | undefined;
  /** Id of the call, the same if the call is repeated. */
  readonly callId?: string | undefined;
  /**
   * Tells the runs of a conversation apart, since a provider may use an id of a call again in
   * another run. @default all calls of the conversation are of one run
   */
  readonly run?: string | undefined;
  /** The durable run that the call belongs to. It records the steps of a workflow. @default none */
  readonly engine?: SkillEngine | undefined;
  /**
   * The call is only judged: the answer is an error if a person must be asked, of which no record
   * is made.
   * @default false
   */
  readonly onlyAsk?: boolean | undefined;
  /** Gets a line when a tool that takes long has got further. @default nobody does */
  readonly onProgress?: ((line: string) => void) | undefined;
  /**
   * Called before a skill counts as loaded: an adapter opens what the skill brings. If it rejects,
   * the skill is not loaded, and the answer says why.
   * @default nothing
   */
  readonly onLoad?: ((skill: SkillMetadata) => Promise<void>) | undefined;
  /** Aborts the call; `execute` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer of a tool. */
export interface SkillToolResult {
  /** What the model reads. */
  readonly text: string;
  /** What happened to the state; fold it with `reduceSkillState`. Empty where nothing did. */
  readonly events: readonly SkillEvent[];
  /** The skill is to run in an agent of its own, whose answer takes the place of `text`. */
  readonly fork?: SkillFork | undefined;
  /** Why it failed, where it did; `text` tells the model. */
  readonly error?: SkillError | undefined;
  /** What was asked, where that is why it failed; after a yes, call it again. */
  readonly question?: SkillQuestion | undefined;
}

/**
 * A tool that belongs to no framework: an adapter turns it into its own kind and does nothing else.
 *
 * `execute` never throws into an agent's loop: whatever goes wrong is an answer that the model can
 * act on. Only an abort rejects, and what a framework throws to pause a run and ask a person
 * (LangGraph's `interrupt`, in a runner).
 */
export interface SkillTool {
  readonly role: SkillToolRole;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SkillToolInputSchema;
  execute(input: unknown, context: SkillToolContext): Promise<SkillToolResult>;
}
