import type {
  Agent,
  AgentInputItem,
  AgentOptions,
  AgentOutputType,
  CallModelInputFilter,
  Model,
  RunContext,
  RunState,
  TextOutput,
} from '@openai/agents-core';
import type { SkillDiagnostic, SkillError, SkillState } from '@repertoire/skills-core';
import type { SkillFork } from '@repertoire/skills-core/policy';
import type { ReattachOptions, SkillStateBox } from '@repertoire/skills-core/state';
import type { AgentToolSource } from './sources/tool-source.ts';

/** What runs a forked skill is given. */
export interface SkillForkRun<TContext> {
  /** Makes the agent that does the work: it has the forked skill, which is loaded, and knows no other. None is forked again. */
  agent(options: AgentOptions<TContext>): Agent<TContext>;
  /** The same, with all skills of the conversation. */
  agentBeside(options: AgentOptions<TContext>): Agent<TContext>;
  /** Context of the run in which the skill was loaded. */
  readonly runContext: RunContext<TContext>;
  readonly signal: AbortSignal | undefined;
}

/** Options of {@link openAiAgentsSkills}. */
export interface OpenAiAgentsSkillsOptions<TContext = unknown, Context = undefined> {
  /** What `select` and `permissions` of the skillset are to know, from the context that `run` was given: the tenant, the role. @default nothing */
  readonly context?: ((context: TContext) => Context | Promise<Context>) | undefined;
  /**
   * What a conversation has loaded, kept by the server. Items and serialized run states that a client can write can be forged; this cannot.
   * Needed with `conversationId` and `previousResponseId`, where the SDK does not see the conversation.
   * @default derived from the items of each run, which must be trusted
   */
  readonly state?: ((context: TContext) => SkillStateBox) | undefined;
  /**
   * What a model sees of gated tools while they are closed. `refuse`: it sees them, and they refuse, so that the list of tools never changes
   * and the prompt cache holds. `hide`: they appear at the end of the list once they are open. A call of a hidden tool ends the run, unless it
   * has `toolNotFoundBehavior: 'return_error_to_model'`.
   * @default 'refuse'
   */
  readonly gate?: 'refuse' | 'hide' | undefined;
  /** Models that skills may ask for, by the name that they have for them. The agent's own `model` must be a `Model` then. @default none */
  readonly models?: Readonly<Record<string, Model>> | undefined;
  /** The token budget for instructions that are put back; see `callModelInputFilter`. `false` puts back none that were cut. @default 25,000 tokens, and 5,000 a skill */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | false | undefined;
  /** Runs skills with `context: fork` in an agent of their own, and returns its answer. @default they are loaded like any other */
  readonly fork?: ((fork: SkillFork, run: SkillForkRun<TContext>) => Promise<string>) | undefined;
  /** Where tools come from that skills bring themselves: `localTools`. @default none */
  readonly toolSources?: readonly AgentToolSource[] | undefined;
  /** Called with each diagnostic, once, besides `onDiagnostic` of the skillset. What it throws is ignored. @default ignored */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** A skill that a person started by `/name arguments`. */
export interface SkillInvocation {
  /** The load call and its result, to put behind the person's message. */
  readonly items: readonly AgentInputItem[];
  /** What the model reads. */
  readonly text: string;
  /** Why it was not loaded, if it was not. */
  readonly error: SkillError | undefined;
}

/** Skills for agents of the OpenAI Agents SDK. */
export interface OpenAiAgentsSkills<TContext> {
  /**
   * An agent with skills: the catalog behind its instructions, the skill tools before its own, and its gated tools closed until a skill opens
   * them. Give every agent of a handoff its own; each knows what was loaded from the items that it is handed.
   */
  agent<TOutput extends AgentOutputType = TextOutput>(options: AgentOptions<TContext, TOutput>): Agent<TContext, TOutput>;
  /**
   * For `new Runner({ callModelInputFilter })` or the options of `run`: puts instructions back that were cut from the items, and repeats those
   * that are due. Leave it out with `conversationId`, where the SDK sees only what is new.
   */
  readonly callModelInputFilter: CallModelInputFilter;
  /**
   * A run that waits for approvals, from its serialized text. Use this in place of `RunState.fromString`, which does not tell agents what was
   * loaded, so that every gate would refuse. Keep the text on the server, or give the option `state`: whoever can write it can claim loads.
   */
  restore<TOutput extends AgentOutputType>(
    agent: Agent<TContext, TOutput>,
    text: string,
    context: TContext,
  ): Promise<RunState<TContext, Agent<TContext, TOutput>>>;
  /** What a run of an agent has loaded now. */
  state<TOutput extends AgentOutputType>(agent: Agent<TContext, TOutput>, run: RunContext<TContext>): Promise<SkillState>;
  /** Loads the skill that a person typed as `/name arguments`; `null` if the text is no such command. */
  invoke(text: string, before: readonly AgentInputItem[], context: TContext): Promise<SkillInvocation | null>;
}
