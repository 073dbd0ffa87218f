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

/** The parts of a graph with skills. They store nothing about a conversation. */
export interface LangGraphSkills {
  /** The skill tools and the host's tools, which refuse while they are closed. */
  readonly tools: readonly StructuredToolInterface[];
  /**
   * A node that stores in the state, as a digest, which catalog the conversation started with. Put
   * it first. A later change of the source is then noticed, and `catalogStore` of the skillset
   * decides what the model sees. Without this node, the catalog is always the current one. Under
   * `activeFor: 'run'` it also ends what the run before loaded.
   */
  catalogNode(state: SkillsState, config?: RunnableConfig): Promise<SkillsNodeUpdate>;
  /**
   * A node that loads skills before the model is called: those that `select` finds in the state.
   * For each it writes a call of the load tool and its result, as if the model had made it. A skill
   * that is already loaded adds nothing; one that cannot be loaded adds the error.
   */
  loadSkillsNode<State extends SkillsState>(
    select: (state: State) => readonly (SkillWanted | string)[] | undefined,
  ): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /** A node that loads the skill of a typed `/name arguments`, also one for people only. */
  commandNode(state: SkillsState, config?: RunnableConfig): Promise<SkillsNodeUpdate>;
  /**
   * A node that calls the model once: with the tools of this call, the catalog at the end of the
   * system prompt, and the messages as `messages` returns them. It also does what `catalogNode`
   * does.
   */
  modelNode<State extends SkillsState>(
    model: BaseChatModel,
    options?: ModelNodeOptions<State>,
  ): (state: State, config?: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /**
   * Adds the whole agent to a graph: the nodes `model` and `tools` and the edges between them. With
   * `activeFor: 'run'`, `select` or `commands` it adds the nodes before them, and with
   * `toolSources` one that closes what skills opened.
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
   * The model with the tools of this call: the skill tools, your tools, and last those that loaded
   * skills open. Traces of the call name the loaded skills.
   *
   * @throws {SkillError} `invalid-options` for a model that cannot bind tools
   */
  bindLoadedTools(
    model: BaseChatModel,
    state: SkillsState,
    options?: BindLoadedToolsOptions,
  ): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>>;
  /** The system prompt with the catalog at its end, the same bytes each time. @default no base */
  instructions(state: SkillsState, base?: string, config?: RunnableConfig): Promise<string>;
  /** The messages for a model call, with instructions that were removed or are due again. */
  messages(state: SkillsState, config?: RunnableConfig): Promise<BaseMessage[]>;
  /**
   * A node that runs the tool calls of the last message. The `allowed-tools` of loaded skills apply
   * to your own tools too.
   * @default no tools of yours
   */
  toolNode(tools?: readonly StructuredToolInterface[]): (state: SkillsState, config: RunnableConfig) => Promise<SkillsNodeUpdate>;
  /** Closes what skills opened for a conversation, at its end. */
  close(state: SkillsState, config?: RunnableConfig): Promise<void>;
}
