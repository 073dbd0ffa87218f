import type {
  Agent,
  AgentInputItem,
  AgentOptions,
  AgentOutputType,
  CallModelInputFilter,
  FunctionTool,
  Model,
  RunContext,
  RunState,
  TextOutput,
} from '@openai/agents-core';
import type { SkillDiagnostic, SkillError, SkillState } from '@repertoire/skills-core';
import type { SkillFork, SkillStateBox, RestoreBudget, NamedModels } from '@repertoire/skills-core/adapter';
import type { RunQuestions, WaitingRuns } from './run/run-questions.ts';
import type { AgentToolSource } from './sources/tool-source.ts';

/** What the function that runs a fork receives. */
export interface SkillForkRun<TContext> {
  /** The agent for the fork, with the skill loaded, and without other skills and forks. */
  agent(options: AgentOptions<TContext>): Agent<TContext>;
  /** The same, with all skills of the conversation. */
  agentBeside(options: AgentOptions<TContext>): Agent<TContext>;
  /** Context of the run that loaded the skill. */
  readonly runContext: RunContext<TContext>;
  readonly signal: AbortSignal | undefined;
}

/** Options of {@link openAiAgentsSkills}. */
export interface OpenAiAgentsSkillsOptions<TContext = unknown, Context = undefined> {
  /**
   * Returns the context for `select` and `permissions` of the skillset, such as the tenant or the
   * role, from the context that `run` received.
   * @default none
   */
  readonly context?: ((context: TContext) => Context | Promise<Context>) | undefined;
  /**
   * Names the conversation of a run, from the context that `run` received: answers of people for
   * `once` and `conversation` count in it and in no other.
   * @default not told: such an answer counts for whoever brings the state that names it
   */
  readonly conversation?: ((context: TContext) => string | Promise<string>) | undefined;
  /**
   * What a conversation has loaded, kept by the server. Items and serialized run states that a
   * client can write can be forged; this cannot. Required with `conversationId` and
   * `previousResponseId`, where the SDK does not see the conversation.
   * @default derived from the items of each run, which must be trusted
   */
  readonly state?: ((context: TContext) => SkillStateBox) | undefined;
  /**
   * What a model sees of gated tools while they are closed. `refuse`: it sees them and they refuse,
   * so the list of tools never changes and the prompt cache stays valid. `hide`: it does not see
   * them; open ones appear at the end of the list. A call of a hidden tool ends the run, unless the
   * run has `toolNotFoundBehavior: 'return_error_to_model'`.
   * @default 'refuse'
   */
  readonly gate?: 'refuse' | 'hide' | undefined;
  /**
   * Models that skills may ask for, by the name that skills use: a map or a function. The agent's
   * own `model` must then be a `Model`.
   * @default none
   */
  readonly models?: NamedModels<Model> | undefined;
  /**
   * Token budget for instructions that are inserted again; see `callModelInputFilter`. `false`
   * inserts no removed ones.
   * @default 25,000 tokens in total, 5,000 for each skill
   */
  readonly restore?: RestoreBudget | false | undefined;
  /** Runs skills with `context: fork` in an agent. @default loaded like other skills */
  readonly fork?: ((fork: SkillFork, run: SkillForkRun<TContext>) => Promise<string>) | undefined;
  /**
   * Skill tools that wait for a person, by name, as `needsApproval` of a tool of the SDK:
   * `{ propose_skill: true }`. Your own tools say so themselves.
   * @default none
   */
  readonly needsApproval?: Readonly<Record<string, boolean | FunctionTool<TContext>['needsApproval']>> | undefined;
  /** Sources of tools of skills themselves: `localTools`. @default none */
  readonly toolSources?: readonly AgentToolSource[] | undefined;
  /**
   * Called once with each diagnostic, in addition to `onDiagnostic` of the skillset. Errors that it
   * throws are ignored.
   * @default none
   */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** A skill that a person started by `/name arguments`. */
export interface SkillInvocation {
  /** The load call and its result. Append them to the message of the person. */
  readonly items: readonly AgentInputItem[];
  /** What the model reads. */
  readonly text: string;
  /** Why nothing was loaded; `undefined` if a skill was loaded. */
  readonly error: SkillError | undefined;
}

/** Skills for agents of the OpenAI Agents SDK. */
export interface OpenAiAgentsSkills<TContext> {
  /**
   * Creates an agent with skills: the catalog is at the end of its instructions, the skill tools
   * come before its own, and its gated tools are closed until a skill opens them. Create every
   * agent of a handoff this way; each derives what is loaded from the items that it receives.
   */
  agent<TOutput extends AgentOutputType = TextOutput>(options: AgentOptions<TContext, TOutput>): Agent<TContext, TOutput>;
  /**
   * For `new Runner({ callModelInputFilter })` or the options of `run`. Inserts instructions that
   * were removed from the items, and repeats those that are due. Do not use it with
   * `conversationId`, where the SDK sees only new items.
   */
  readonly callModelInputFilter: CallModelInputFilter;
  /**
   * Restores a run that waits for approvals from its serialized text. Use it instead of
   * `RunState.fromString`, which does not tell agents what was loaded, so that every gate would
   * refuse. Keep the text on the server, or pass the option `state`: whoever can write the text can
   * claim loads.
   */
  restoreRun<TOutput extends AgentOutputType>(
    agent: Agent<TContext, TOutput>,
    text: string,
    context: TContext,
  ): Promise<RunState<TContext, Agent<TContext, TOutput>>>;
  /**
   * Questions about skills that runs of an agent wait with, as a list for a page of people who
   * answer them. They are read from the texts of the runs and from the records of `skillApprovals`,
   * so they are there after a restart and in every process.
   *
   * @param runs the texts of runs that wait: `result.state.toString()`, by a name of the host
   * @param contextOf the context of a run, as `run` received it
   * @example
   * ```ts
   * import { run, type Agent } from '@openai/agents-core';
   * import type { OpenAiAgentsSkills } from '@repertoire/adapter-openai-agents';
   *
   * export async function answerAll(skills: OpenAiAgentsSkills<unknown>, agent: Agent<unknown>, waiting: Map<string, string>): Promise<void> {
   *   const questions = skills.questions(agent, waiting, () => ({}));
   *   for (const { run: name, question } of await questions.list()) {
   *     const state = await questions.answer(name, question.id, { answer: 'once' }, 'ada');
   *     if (state !== undefined) await run(agent, state);
   *   }
   * }
   * ```
   */
  questions<TOutput extends AgentOutputType>(
    agent: Agent<TContext, TOutput>,
    runs: WaitingRuns,
    contextOf: (run: string) => TContext | Promise<TContext>,
  ): RunQuestions<TContext, TOutput>;
  /** What a run of an agent has loaded now. */
  state<TOutput extends AgentOutputType>(agent: Agent<TContext, TOutput>, run: RunContext<TContext>): Promise<SkillState>;
  /** Loads a typed `/name arguments`; `null` if the text is no such command. */
  invoke(text: string, before: readonly AgentInputItem[], context: TContext): Promise<SkillInvocation | null>;
}
