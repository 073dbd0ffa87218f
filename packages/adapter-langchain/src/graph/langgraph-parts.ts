import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { StateDefinitionInit, StateGraph } from '@langchain/langgraph';
import type { AddSkillsOptions, SkillsNodeName } from './add-skills-options.ts';
import type { BindLoadedToolsOptions, ModelNodeOptions } from './model-node-options.ts';
import type { SkillsState } from './skills-graph-state.ts';
import type { SkillWanted } from './load-wanted.ts';
import type { SkillsNodeUpdate } from './node-update.ts';

/** The parts of a graph that knows skills. Nothing in it belongs to a conversation, so one serves all of them. */
export interface LangGraphSkills {
  /** The skill tools, and the host's tools, which refuse while they are locked. */
  readonly tools: readonly StructuredToolInterface[];
  /**
   * A node that notes in the state which catalog the conversation began with, as a digest. Put it first. A later change of the source is then
   * noticed, and `onChange` of the skillset decides what the model sees. Without it, the catalog is always that of now.
   */
  catalogNode(state: SkillsState, config?: RunnableConfig): Promise<SkillsNodeUpdate>;
  /**
   * A node that loads skills for the model: those that `select` finds in the state. It writes a call of the load tool and its result for each, as if the model had made
   * it; one that is loaded already adds nothing, one that cannot be loaded adds the error.
   */
  loadSkillsNode<State extends SkillsState>(
    select: (state: State) => readonly (SkillWanted | string)[] | undefined,
  ): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /** A node that loads the skill that a person typed as `/name arguments` in the last message, also one that only a person may start. Any other message passes. */
  commandNode(state: SkillsState, config?: RunnableConfig): Promise<SkillsNodeUpdate>;
  /**
   * A node that asks the model once: with the tools of this call, the catalog at the end of the system prompt, and the messages as `messages`
   * shows them. It also does what `catalogNode` does.
   */
  modelNode<State extends SkillsState>(
    model: BaseChatModel,
    options?: ModelNodeOptions<State>,
  ): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /**
   * Adds the whole agent to a graph: the nodes `model` and `tools`, and the edges between them; with `select` or `commands` also the nodes
   * before them, and with `toolSources` one that closes what skills brought.
   *
   * @returns the same graph
   */
  addTo<
    Definition,
    State extends SkillsState,
    Update,
    Node extends string,
    Input extends StateDefinitionInit,
    Output extends StateDefinitionInit,
    ContextDefinition extends StateDefinitionInit,
    NodeReturn,
    Interrupt,
    Writer,
  >(
    graph: StateGraph<Definition, State, Update, Node, Input, Output, ContextDefinition, NodeReturn, Interrupt, Writer>,
    options: AddSkillsOptions<NoInfer<State>, NoInfer<Node>>,
  ): StateGraph<Definition, State, Update, Node | SkillsNodeName, Input, Output, ContextDefinition, NodeReturn, Interrupt, Writer>;
  /**
   * The model with the tools of this call: the skill tools, yours, and those that loaded skills open, which come last. Traces of the call name the loaded skills.
   *
   * @throws {SkillError} `invalid-options` for a model that cannot bind tools
   */
  bindLoadedTools(
    model: BaseChatModel,
    state: SkillsState,
    options?: BindLoadedToolsOptions,
  ): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>>;
  /** The system prompt with the catalog at its end. The same base gives the same bytes. @default no base */
  instructions(state: SkillsState, base?: string, config?: RunnableConfig): Promise<string>;
  /**
   * The messages for a model call: with the instructions of loaded skills that were cut from them, by a summary or by hand, and those that the
   * skillset's refresh policy has due.
   */
  messages(state: SkillsState, config?: RunnableConfig): Promise<BaseMessage[]>;
  /** A node that runs the calls of the last message. Also the calls of your own tools are judged by the `allowed-tools` of loaded skills. @default no tools of yours */
  toolNode(tools?: readonly StructuredToolInterface[]): (state: SkillsState, config: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /** Closes what skills brought to a conversation, such as connections to MCP servers: at its end. */
  close(state: SkillsState, config?: RunnableConfig): Promise<void>;
}
