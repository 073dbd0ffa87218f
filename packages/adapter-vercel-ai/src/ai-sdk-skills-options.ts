import type { CatalogRequest, SkillCatalog, SkillDiagnostic, SkillError, SkillState } from '@repertoire/skills-core';
import type { ReattachOptions } from '@repertoire/skills-core/state';
import type { SkillFork } from '@repertoire/skills-core/policy';
import type {
  Instructions,
  LanguageModel,
  ModelMessage,
  PrepareStepFunction,
  ToolApprovalConfiguration,
  ToolApprovalStatus,
  ToolSet,
  UIMessageChunk,
} from 'ai';
import type { AiSdkToolSource } from './sources/tool-source.ts';
import type { AnyMessage } from './state/message-text.ts';
import type { AiSdkModels } from './step/model-named.ts';

/**
 * What becomes of tools that a skill opens, while it is not loaded. They refuse in their own execution in any case; the gates differ in what the model sees, and so in
 * what a load does to the cached prompt.
 *
 * - `execute`: the model sees them. The list of tools never changes, so the whole prompt stays cached, with every provider. Their definitions are paid for from the
 *   start, and a call that comes too early costs a step.
 * - `active`: the model does not see them; they appear at the end of the list once they are open. Saves their tokens, and costs the cached prompt at each load and
 *   unload, because providers cache tools before everything else. The SDK can only be told what to *show*, so name all other tools of the call in `otherTools`.
 * - `anthropic-deferred`: the model gets their definitions with the result of the load, at the end of the prompt. Tools and instructions stay the same to the byte, so
 *   the whole prompt stays cached, and no definition is paid for before it is needed. Only for models of Anthropic that know deferred tools.
 */
export type AiSdkGate = 'execute' | 'active' | 'anthropic-deferred';

/** Options of {@link aiSdkSkills}. */
export interface AiSdkSkillsOptions<TOOLS extends ToolSet = {}, Context = undefined> extends Pick<
  CatalogRequest<Context>,
  'context' | 'signal'
> {
  /** Tools of the host that skills name in `tools`. One that no skill names is left as it is, unless skills have `allowed-tools`. @default none */
  readonly tools?: TOOLS | undefined;
  /** Names of the tools that the call has beside these. `missingTools` of the skillset and the gate `active` need them. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /**
   * A catalog that was read before, so that a conversation of many requests sees one and the same.
   * @default read now
   */
  readonly catalog?: SkillCatalog<Context> | undefined;
  /** What the model sees of locked tools. @default 'execute' */
  readonly gate?: AiSdkGate | undefined;
  /**
   * What this conversation has loaded, kept by the server: messages that come from a browser can be forged, this cannot. **Give it in every chat route.** Skills that
   * are loaded are written to `current`, so make one for each conversation and do not share it. Messages then only tell whether a skill's text still stands in the
   * context; one whose text was pruned is put back.
   * @default derived from the messages of each call, which must be trusted
   */
  readonly state?: { current: SkillState } | undefined;
  /** Models that skills may ask for, by the name that they have for them. @default none: every step runs on the model of the call */
  readonly models?: AiSdkModels | undefined;
  /**
   * How much room there is for instructions that are put back: those of loaded skills that were pruned from the messages, and those that the skillset's refresh policy
   * has due. `false` puts back no pruned ones.
   * @default 25,000 tokens, and 5,000 a skill
   */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | false | undefined;
  /** Takes the instructions of unloaded skills out of the messages. It frees their room, and costs the cached prompt behind that place once. @default false */
  readonly withdraw?: boolean | undefined;
  /** Runs skills with `context: fork` in an agent of their own; `forkAgent` makes one. @default they are loaded like any other */
  readonly fork?: AiSdkFork | undefined;
  /** Where tools come from that skills bring themselves: `localTools`, `mcpTools`. @default none */
  readonly toolSources?: readonly AiSdkToolSource[] | undefined;
  /** Hears what could not be done, and goes on without it: a server that does not answer, a model that has no name here. @default ignored */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** Options of {@link AiSdkSkills.agentSettings}. */
export interface AiSdkAgentSettingsOptions<OTHER extends ToolSet = {}, ALL extends ToolSet = OTHER> {
  /** The system prompt before the catalog. @default none */
  readonly instructions?: string | undefined;
  /** The agent's other tools. @default none */
  readonly tools?: OTHER | undefined;
  /** What else is to be prepared before each step. @default nothing */
  readonly prepareStep?: PrepareStepFunction<ALL> | undefined;
  /** Which calls a person must approve; it is put together with what skills say. `{}` where only theirs counts. @default no approval is asked */
  readonly toolApproval?: AiSdkOwnApproval<ALL> | undefined;
}

/** What is known of a step before it. */
export interface AiSdkStep {
  readonly messages: ModelMessage[];
  readonly instructions?: Instructions | undefined;
}

/**
 * What a {@link AiSdkPrepareStep} changes of a step. Names of tools are to be those of the call, which only the call knows; `never` fits them all.
 */
export interface AiSdkPreparedStep {
  /** The messages, with instructions put back and others taken out. */
  readonly messages?: ModelMessage[];
  /** The system prompt, with the instructions that stand there under `bodies: 'by-mode'`. */
  readonly instructions?: Instructions;
  /** The model that a loaded skill asks for. */
  readonly model?: LanguageModel;
  /** The tools that the model may see. */
  readonly activeTools?: never[];
  /** The order of the tools; the same in each step. */
  readonly toolOrder?: never[];
}

/** A `prepareStep` that fits every call; `undefined` where there is nothing to change. */
export type AiSdkPrepareStep = (step: AiSdkStep) => Promise<AiSdkPreparedStep | undefined>;

/** A call that may need approval, as the SDK tells of it. */
export interface AiSdkApprovalCall {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  readonly tools: ToolSet | undefined;
  readonly toolsContext: unknown;
  readonly runtimeContext: unknown;
  readonly messages: ModelMessage[];
}

/** A `toolApproval` that fits every call. */
export type AiSdkToolApproval = (call: AiSdkApprovalCall) => Promise<ToolApprovalStatus>;

/** The host's own `toolApproval`, in any form that the SDK takes. */
export type AiSdkOwnApproval<TOOLS extends ToolSet = ToolSet> = ToolApprovalConfiguration<TOOLS, Record<string, unknown>>;

/** What {@link AiSdkSkills.agentSettings} returns: spread it into an agent or a call. */
export interface AiSdkAgentSettings<TOOLS extends ToolSet> {
  readonly instructions: string;
  readonly tools: TOOLS;
  readonly prepareStep: AiSdkPrepareStep;
  /** Only where one was given, here or to the agent that this one works for. */
  readonly toolApproval?: AiSdkToolApproval;
}

/** What the agent of a forked skill has. */
export interface AiSdkForkRun {
  /** The host's tools and the forked skill, which is loaded, for this agent. It knows no other skill, and none is forked again. */
  readonly skills: AiSdkSkills;
  /** The same, with all skills of the conversation. */
  readonly allSkills: AiSdkSkills;
  readonly toolCallId: string;
  /** The conversation that the skill was loaded in. */
  readonly messages: ModelMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** Runs a forked skill: a promise of the answer, or all that was said so far again and again, the answer last. */
export type AiSdkFork = (fork: SkillFork, run: AiSdkForkRun) => PromiseLike<string> | AsyncIterable<string>;

/** A skill that a person started by `/name arguments`. */
export interface AiSdkInvocation {
  /** The load call and its result, to put behind the person's message. */
  readonly messages: readonly ModelMessage[];
  /** The same for a user interface: write them to its stream behind `start`, so that the page keeps them with the answer. */
  readonly chunks: readonly UIMessageChunk[];
  /** What the model reads. */
  readonly text: string;
  /** The skill, where it was loaded. */
  readonly skill: string | undefined;
  /** Why it was not, where it was not: the text tells the model. */
  readonly error: SkillError | undefined;
}

/** Skills in the shapes of the AI SDK: plain objects to spread and functions to pass. */
export interface AiSdkSkills<TOOLS extends ToolSet = {}, Context = unknown> extends AsyncDisposable {
  /** What the agent knows of its skills. Keep it, to give it to the next request of the same conversation. */
  readonly catalog: SkillCatalog<Context>;
  /**
   * The skill tools, then the host's `tools`, which refuse while they are locked. The type tells of the host's only: calls of the skill tools are dynamic ones.
   * Without any skill there are no skill tools.
   */
  readonly tools: TOOLS;
  /** The system prompt with the catalog at its end. The same base gives the same bytes. @default no base */
  instructions(base?: string): string;
  /**
   * Carries out before each step what the loaded skills ask for: the model, the tools that are shown, instructions that are put back or taken out. It changes nothing
   * where nothing is asked.
   */
  readonly prepareStep: AiSdkPrepareStep;
  /** The same, with a `prepareStep` of the host. */
  composePrepareStep<ALL extends ToolSet = TOOLS, RUNTIME extends Record<string, unknown> = Record<string, unknown>>(
    own: PrepareStepFunction<ALL, RUNTIME>,
  ): PrepareStepFunction<ALL, RUNTIME>;
  /**
   * The skills' say in approvals: a locked call is denied, also one that a person approved earlier; calls that `allowed-tools` pre-approve need no person; all others go
   * the host's way.
   */
  toolApproval<OTHER extends ToolSet = {}>(own?: AiSdkOwnApproval<TOOLS & OTHER>): AiSdkToolApproval;
  /** What a conversation has loaded, by messages as a model gets them or as a user interface keeps them. */
  state(messages: readonly AnyMessage[]): SkillState;
  /**
   * Loads the skill that a person typed as `/name arguments`; `null` where the text is no such command. `before` are the messages before it.
   */
  invoke(
    text: string,
    before?: readonly AnyMessage[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<AiSdkInvocation | null>;
  /**
   * All at once, with the agent's other tools. An agent stops after 20 steps by default; `generateText` and `streamText` after one, so give them a
   * `stopWhen`.
   *
   * @throws {SkillError} `reserved-tool-name`; `invalid-options` for a tool that is in `tools` of {@link aiSdkSkills} too
   */
  agentSettings<OTHER extends ToolSet = {}>(
    options?: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>>,
  ): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>>;
  /** Lets go of what skills brought: connections to servers. Calls of their tools fail from then on. Without tool sources it does nothing. */
  close(): Promise<void>;
  /** `close`, as the callbacks of `streamText` and of agents: spread them where the call streams, so that all its ends let go. */
  readonly closing: {
    readonly onEnd: () => Promise<void>;
    readonly onError: (event: { readonly error: unknown }) => Promise<void>;
    readonly onAbort: () => Promise<void>;
  };
}
