import type { KeptSession, OpenRequest, SkillDiagnostic, SkillError, SkillSession, SkillState } from '@repertoire/skills-core';
import type { SkillFork, SkillToolRole } from '@repertoire/skills-core/policy';
import type { ReattachOptions, SkillStateBox } from '@repertoire/skills-core/state';
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
import type { AnyMessage } from './state/message-text.ts';
import type { AiSdkModels } from './step/model-named.ts';

/**
 * What a model sees of gated tools while they are closed. They refuse in their own execution in any case; the gates differ in what the model
 * sees, and so in what a load does to the cached prompt.
 *
 * - `refuse`: the model sees them. The list of tools never changes, so the whole prompt stays cached, with every provider. Their definitions
 *   are paid for from the start, and a call that comes too early costs a step.
 * - `hide`: the model does not see them; they appear at the end of the list once they are open. This saves their tokens, and costs the cached
 *   prompt at each load and unload, because providers cache tools before everything else. The SDK can only be told what to *show*, so name all
 *   other tools of the call in `otherTools`.
 * - `defer`: the model gets their definitions with the result of the load, at the end of the prompt. Tools and instructions stay the same to
 *   the byte, so the whole prompt stays cached, and no definition is paid for before it is needed. Only for models of Anthropic that know
 *   deferred tools.
 */
export type AiSdkGate = 'refuse' | 'hide' | 'defer';

/** Called with each diagnostic. */
export type AiSdkReport = (diagnostic: SkillDiagnostic) => void;

/** Options of {@link aiSdkSkills}. */
export interface AiSdkSkillsOptions<TOOLS extends ToolSet = {}, Context = undefined> extends Pick<
  OpenRequest<Context>,
  'context' | 'kept' | 'signal'
> {
  /** Tools of the host. Those that are gated refuse until a skill opens them; the others are left as they are. @default none */
  readonly tools?: TOOLS | undefined;
  /** Names of the tools that the call has beside these. `missingTools` of the skillset and the gate `hide` need them. @default none */
  readonly otherTools?: readonly string[] | undefined;
  /** A session that was opened before. @default opened now, with `context` and `kept` */
  readonly session?: SkillSession | undefined;
  /** What the model sees of closed tools. @default 'refuse' */
  readonly gate?: AiSdkGate | undefined;
  /**
   * What this conversation has loaded, kept by the server: messages that come from a browser can be forged, this cannot. **Give it in every
   * chat route.** Messages then only show whether a skill's text still stands in the context; one whose text was pruned is put back.
   * @default derived from the messages of each call, which must be trusted
   */
  readonly state?: SkillStateBox | undefined;
  /** Models that skills may ask for, by the name that they have for them. @default none: every step runs on the model of the call */
  readonly models?: AiSdkModels | undefined;
  /**
   * The token budget for instructions that are put back: those of loaded skills that were pruned from the messages, and those that the
   * skillset's refresh policy has due. `false` puts back no pruned ones.
   * @default 25,000 tokens, and 5,000 a skill
   */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | false | undefined;
  /** Takes the instructions of unloaded skills out of the messages. It saves their tokens, but the prompt cache after that position is lost once. @default false */
  readonly withdraw?: boolean | undefined;
  /** Runs skills with `context: fork` in an agent of their own; `forkAgent` makes one. @default they are loaded like any other */
  readonly fork?: AiSdkFork | undefined;
  /** Where tools come from that skills bring themselves: `localTools`, `mcpTools`. @default none */
  readonly toolSources?: readonly AiSdkToolSource[] | undefined;
  /** Called with each diagnostic, once, besides `onDiagnostic` of the skillset. What it throws is ignored. @default ignored */
  readonly onDiagnostic?: AiSdkReport | undefined;
}

/** Options of {@link AiSdkSkills.agentSettings}. */
export interface AiSdkAgentSettingsOptions<OTHER extends ToolSet = {}, ALL extends ToolSet = OTHER> {
  /** The system prompt before the catalog. @default none */
  readonly instructions?: string | undefined;
  /** The agent's other tools. @default none */
  readonly tools?: OTHER | undefined;
  /** Which of the tools the model may see. The skill tools stay, since the catalog speaks of them. @default all */
  readonly activeTools?: readonly Extract<keyof ALL, string>[] | undefined;
  /** What else is to be prepared before each step. @default nothing */
  readonly prepareStep?: PrepareStepFunction<ALL> | undefined;
  /** Which calls a person must approve; it is put together with what skills say. `{}` where only theirs counts. @default no approval is asked */
  readonly toolApproval?: AiSdkOwnApproval<ALL> | undefined;
}

/** What is known of a step before it. */
export interface AiSdkStep {
  readonly messages: ModelMessage[];
  readonly instructions?: Instructions | undefined;
  /** Number of the step in its call, from 0. */
  readonly stepNumber?: number | undefined;
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

/** The tool that runs scripts, as approvals know it: a call's input is what the model wrote. If the tool was renamed, give a function for all tools. */
export type AiSdkScriptTool = { readonly run_skill_script: Tool<unknown, string> };

/** The host's own `toolApproval`, in any form that the SDK takes. `{ run_skill_script: 'user-approval' }` asks a person before a script runs. */
export type AiSdkOwnApproval<TOOLS extends ToolSet = ToolSet> = ToolApprovalConfiguration<TOOLS & AiSdkScriptTool, Record<string, unknown>>;

/** What {@link AiSdkSkills.agentSettings} returns: spread it into an agent or a call. */
export interface AiSdkAgentSettings<TOOLS extends ToolSet> {
  /** Left out if it would be empty, because some providers refuse an empty system prompt. */
  readonly instructions?: string;
  readonly tools: TOOLS;
  /** Only where it was given: its names, and those of the skill tools. */
  readonly activeTools?: never[];
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
export interface AiSdkSkills<TOOLS extends ToolSet = {}> extends AsyncDisposable {
  /** What this conversation sees: the catalog, the rules. */
  readonly session: SkillSession;
  /** What to keep for the next request of the same conversation: small JSON that grants nothing. Give it back as the option `kept`. */
  readonly kept: KeptSession;
  /**
   * The skill tools, then the host's `tools`, which refuse while they are closed. The type has the host's only: calls of the skill tools are dynamic ones.
   * Without any skill there are no skill tools.
   */
  readonly tools: TOOLS;
  /**
   * The system prompt with the catalog at its end. The same base gives the same bytes. Without a base and without skills it is empty, and
   * `prepareStep` keeps an empty one from being sent, since some providers refuse it.
   * @default no base
   */
  instructions(base?: string): string;
  /**
   * For `activeTools` of a call that is made by hand: the names given, and the skill tools, since the catalog speaks of them. `agentSettings` takes the
   * names itself.
   */
  activeTools<OTHER extends string = never>(tools: readonly (Extract<keyof TOOLS, string> | NoInfer<OTHER>)[]): never[];
  /**
   * For `toolChoice` of a call: the skill tool of that role, whatever it is named.
   *
   * @throws {SkillError} `unsupported` where this conversation has no such tool
   */
  toolChoice(role: SkillToolRole): { readonly type: 'tool'; readonly toolName: never };
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
   * Approvals by skills: a call of a closed tool is denied, also one that a person approved earlier; calls that `allowed-tools` pre-approve need no person; all others go
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
  /** Closes what skills brought: connections to servers. Calls of their tools fail from then on. A no-op without tool sources. */
  close(): Promise<void>;
  /** `close`, as the callbacks of `streamText` and of agents: spread them where the call streams, so that every way in which it ends closes them. */
  readonly closing: {
    readonly onEnd: () => Promise<void>;
    readonly onError: (event: { readonly error: unknown }) => Promise<void>;
    readonly onAbort: () => Promise<void>;
  };
}
