import type { OpenRequest, SkillDiagnostic, SkillError, SkillQuestion, SkillSession, SkillState } from '@repertoire/skills-core';
import type { SkillFork, SkillStateBox, RestoreBudget, NamedModels } from '@repertoire/skills-core/adapter';
import type { KeptSession, SkillToolRole } from '@repertoire/skills-core/internal';
import type {
  Instructions,
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  Tool,
  ToolApprovalConfiguration,
  ToolApprovalStatus,
  ToolSet,
  UIMessageChunk,
} from 'ai';
import type { AiSdkToolSource } from './sources/tool-source.ts';
import type { AnyMessage } from './state/messages.ts';

/**
 * What a model sees of gated tools while they are closed. A closed tool always refuses in its own
 * execution. The gates differ in what the model sees, and therefore in what a load does to the
 * prompt cache.
 *
 * - `refuse`: the model sees closed tools. The list of tools never changes, so the whole prompt
 *   stays cached with every provider. The definitions cost tokens from the start, and a call that
 *   comes too early costs a step.
 * - `hide`: the model does not see closed tools. An open tool appears at the end of the list. This
 *   saves tokens, but each load and unload invalidates the prompt cache, because providers cache
 *   tools before everything else. The SDK can only be told what to *show*, so name all other tools
 *   of the call in `otherTools`.
 * - `defer`: the model gets the definitions with the result of the load, at the end of the prompt.
 *   Tools and instructions stay the same to the byte, so the whole prompt stays cached, and no
 *   definition costs tokens before it is needed. Only for Anthropic models that support deferred
 *   tools.
 */
export type AiSdkGate = 'refuse' | 'hide' | 'defer';

/** Models by the name that skills use. A function may know more models than a list. */
export type AiSdkModels = NamedModels<LanguageModel>;

/** Called with each diagnostic. */
export type AiSdkReport = (diagnostic: SkillDiagnostic) => void;

/** Options of {@link aiSdkSkills}. */
export interface AiSdkSkillsOptions<TOOLS extends ToolSet = {}, Context = undefined> extends Pick<
  OpenRequest<Context>,
  'context' | 'conversation' | 'kept' | 'signal'
> {
  /** The host's tools. Gated ones refuse until a skill opens them. @default none */
  readonly tools?: TOOLS | undefined;
  /** Other tools of the call, needed by `gates.missing` and the gate `hide`. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /** A session that is already open. @default a new one is opened with `context` and `kept` */
  readonly session?: SkillSession | undefined;
  /** What the model sees of closed tools. @default 'refuse' */
  readonly gate?: AiSdkGate | undefined;
  /**
   * What this conversation has loaded, kept by the server. Messages that come from a browser can be
   * forged; this state cannot. **Pass it in every chat route.** Messages then only show which texts
   * are still in the context, and texts that were pruned are inserted again.
   * @default derived from the messages of each call, which must be trusted
   */
  readonly state?: SkillStateBox | undefined;
  /** Models that skills may ask for, by name. @default none: the call's model is used */
  readonly models?: AiSdkModels | undefined;
  /**
   * Token budget for instructions that are inserted again: those of loaded skills that were pruned
   * from the messages, and those that the skillset's refresh policy repeats. `false` inserts no
   * pruned ones.
   * @default 25,000 tokens in total, 5,000 for each skill
   */
  readonly restore?: RestoreBudget | false | undefined;
  /**
   * Removes the instructions of unloaded skills from the messages. This saves their tokens, but
   * invalidates the prompt cache after that position once.
   * @default false
   */
  readonly withdraw?: boolean | undefined;
  /** Runs skills with `context: fork`, such as `forkAgent`. @default loaded like other skills */
  readonly fork?: AiSdkFork | undefined;
  /** Sources of tools of skills themselves: `localTools`, `mcpTools`. @default none */
  readonly toolSources?: readonly AiSdkToolSource[] | undefined;
  /**
   * Called once with each diagnostic, in addition to `onDiagnostic` of the skillset. Errors that it
   * throws are ignored.
   * @default none
   */
  readonly onDiagnostic?: AiSdkReport | undefined;
}

/** Options of {@link AiSdkSkills.agentSettings}. */
export interface AiSdkAgentSettingsOptions<OTHER extends ToolSet = {}, ALL extends ToolSet = OTHER> {
  /** The system prompt before the catalog. @default none */
  readonly instructions?: string | undefined;
  /** The agent's other tools. @default none */
  readonly tools?: OTHER | undefined;
  /**
   * The tools that the model may see. Skill tools are always included, because the catalog refers
   * to them.
   * @default all
   */
  readonly activeTools?: readonly Extract<keyof ALL, string>[] | undefined;
  /** A `prepareStep` of the host, which runs first. @default none */
  readonly prepareStep?: PrepareStepFunction<ALL> | undefined;
  /**
   * Which calls a person must approve. It is combined with what skills pre-approve and forbid. Pass
   * `{}` if only skills decide.
   * @default no approval is asked for
   */
  readonly toolApproval?: AiSdkOwnApproval<ALL> | undefined;
}

/** What is known about a step before it runs. */
export interface AiSdkStep {
  readonly messages: ModelMessage[];
  readonly instructions?: Instructions | undefined;
  /** The model that the step runs on, unless a skill asks for another one. */
  readonly model?: LanguageModel | undefined;
  /** Number of the step in its call, from 0. */
  readonly stepNumber?: number | undefined;
}

/** What a step changes. Tool names are `never`, which fits every call. */
export interface AiSdkPreparedStep {
  /** The messages, with instructions inserted or removed. */
  readonly messages?: ModelMessage[];
  /** The system prompt with instructions under `surface: { instructions: 'with-catalog' }`. */
  readonly instructions?: Instructions;
  /** The model that a loaded skill asks for. */
  readonly model?: LanguageModel;
  /** The tools that the model may see. */
  readonly activeTools?: never[];
  /** The order of the tools. It is the same in each step. */
  readonly toolOrder?: never[];
}

/** A `prepareStep` that fits every call. Returns `undefined` if nothing changes. */
export type AiSdkPrepareStep = (step: AiSdkStep) => Promise<AiSdkPreparedStep | undefined>;

/** A call that may need approval, as the SDK describes it. */
export interface AiSdkApprovalCall {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  readonly tools: ToolSet | undefined;
  readonly toolsContext: unknown;
  readonly runtimeContext: unknown;
  readonly messages: ModelMessage[];
}

/** A `toolApproval` that fits every call. */
export type AiSdkToolApproval = (call: AiSdkApprovalCall) => Promise<ToolApprovalStatus>;

/** Skill tools with an input of interest to approvals. For renamed ones pass a function. */
export type AiSdkAskedTools = {
  readonly run_skill_script: Tool<unknown, string>;
  readonly propose_skill: Tool<unknown, string>;
};

/** The host's `toolApproval`, also for `run_skill_script`. */
export type AiSdkOwnApproval<TOOLS extends ToolSet = ToolSet> = ToolApprovalConfiguration<TOOLS & AiSdkAskedTools, Record<string, unknown>>;

/** What {@link AiSdkSkills.agentSettings} returns: spread it into an agent or a call. */
export interface AiSdkAgentSettings<TOOLS extends ToolSet> {
  /** Missing if it would be empty, because some providers reject an empty system prompt. */
  readonly instructions?: string;
  readonly tools: TOOLS;
  /** Present only if it was passed: those names and the skill tools. */
  readonly activeTools?: never[];
  readonly prepareStep: AiSdkPrepareStep;
  /** Present only if one was passed here, or to the parent agent of a fork. */
  readonly toolApproval?: AiSdkToolApproval;
}

/** What the function that runs a fork receives. */
export interface AiSdkForkRun {
  /** The host's tools and the loaded, forked skill, without other skills or forks. */
  readonly skills: AiSdkSkills;
  /** The same, with all skills of the conversation. */
  readonly allSkills: AiSdkSkills;
  readonly toolCallId: string;
  /** The messages of the conversation that loaded the skill. */
  readonly messages: ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** Runs a forked skill. Returns the answer, or growing texts whose last is the answer. */
export type AiSdkFork = (fork: SkillFork, run: AiSdkForkRun) => PromiseLike<string> | AsyncIterable<string>;

/** A skill that a person started by `/name arguments`. */
export interface AiSdkInvocation {
  /** The load call and its result. Append them to the message of the person. */
  readonly messages: readonly ModelMessage[];
  /** The same for a UI message stream. Write them after `start`. */
  readonly chunks: readonly UIMessageChunk[];
  /** What the model reads. */
  readonly text: string;
  /** Name of the loaded skill; `undefined` if none was loaded. */
  readonly skill: string | undefined;
  /** Why nothing was loaded. The text tells the model too. */
  readonly error: SkillError | undefined;
  /** What was asked: answer it by `session.approvals`, then invoke again. */
  readonly question: SkillQuestion | undefined;
}

/** Skills in the shapes of the AI SDK: plain objects to spread, and functions to pass. */
export interface AiSdkSkills<TOOLS extends ToolSet = {}> extends AsyncDisposable {
  /** The session of this conversation: its catalog and its rules. */
  readonly session: SkillSession;
  /** Small JSON for the option `kept` of the next request. It grants nothing. */
  readonly kept: KeptSession;
  /**
   * The skill tools, then the host's `tools`, which refuse while they are closed. The type contains
   * only the host's tools, because calls of skill tools are dynamic. If there are no skills, there
   * are no skill tools.
   */
  readonly tools: TOOLS;
  /**
   * The system prompt with the catalog at its end. The same base gives the same bytes. Without a
   * base and without skills it is empty. `prepareStep` removes an empty one, since some providers
   * reject it.
   * @default no base
   */
  instructions(base?: string): string;
  /** For `activeTools`: the given names and those of the skill tools. */
  activeTools<OTHER extends string = never>(tools: readonly (Extract<keyof TOOLS, string> | NoInfer<OTHER>)[]): never[];
  /**
   * For `toolChoice` of a call: the skill tool with that role, whatever its name is.
   *
   * @throws {SkillError} `unsupported` if this conversation has no such tool
   */
  toolChoice(role: SkillToolRole): { readonly type: 'tool'; readonly toolName: never };
  /** Applies what loaded skills ask for before each step; otherwise a no-op. */
  readonly prepareStep: AiSdkPrepareStep;
  /** The same, combined with a `prepareStep` of the host. */
  composePrepareStep<ALL extends ToolSet = TOOLS, RUNTIME extends Record<string, unknown> = Record<string, unknown>>(
    own: PrepareStepFunction<ALL, RUNTIME>,
  ): PrepareStepFunction<ALL, RUNTIME>;
  /**
   * Approvals by skills. A call of a closed tool is denied, even if a person approved it earlier. A
   * call that `allowed-tools` pre-approve needs no person. All other calls follow the host's
   * approval.
   */
  toolApproval<OTHER extends ToolSet = {}>(own?: AiSdkOwnApproval<TOOLS & OTHER>): AiSdkToolApproval;
  /**
   * What is asked about a call that waits for approval, for the page that shows it. It is recorded
   * as asked, if it was not; `undefined` for a call that `approvals` of the skillset do not ask
   * about.
   *
   * @param messages those before the call
   */
  question(
    call: { readonly toolName: string; readonly toolCallId: string; readonly input: unknown },
    messages: readonly AnyMessage[],
  ): Promise<SkillQuestion | undefined>;
  /** What a conversation has loaded, from model messages or UI messages. */
  state(messages: readonly AnyMessage[]): SkillState;
  /** Loads a typed `/name arguments`; `null` if it is none. `before`: earlier messages. */
  invoke(
    text: string,
    before?: readonly AnyMessage[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<AiSdkInvocation | null>;
  /**
   * All settings at once, with the agent's other tools. By default an agent stops after 20 steps,
   * but `generateText` and `streamText` stop after one: pass them `stopWhen`.
   *
   * @throws {SkillError} `reserved-tool-name`; `invalid-options` for a tool that was also passed to
   *   {@link aiSdkSkills} as `tools`
   */
  agentSettings<OTHER extends ToolSet = {}>(
    options?: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>>,
  ): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>>;
  /** Closes what skills opened. Later calls of their tools fail. */
  close(): Promise<void>;
  /** `close` as callbacks. Spread them into a streaming call, however it ends. */
  readonly closing: {
    readonly onEnd: () => Promise<void>;
    readonly onError: (event: { readonly error: unknown }) => Promise<void>;
    readonly onAbort: () => Promise<void>;
  };
}
