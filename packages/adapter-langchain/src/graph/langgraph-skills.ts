import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { SkillError, type SkillProvider, type Skillset } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import { bindSkills } from '../binding/bind-skills.ts';
import type { SkillsOptions } from '../binding/skills-options.ts';
import { runOf } from '../binding/skills-run.ts';
import { updateOf } from '../state/graph-state.ts';
import type { SkillsGraphState } from '../state/skills-state.ts';
import { arrangeTools } from '../tools/arrange-tools.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { modelTools } from '../tools/model-tools.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import { loadCommand } from './load-command.ts';
import { loadWanted, type SkillWanted } from './load-wanted.ts';
import type { SkillsNodeUpdate } from './node-update.ts';

/** Options of {@link langGraphSkills}. */
export type LangGraphSkillsOptions<Context = undefined> = SkillsOptions<Context>;

/** A graph's state with the channels of skills and messages. */
export type SkillsState = Partial<SkillsGraphState> & { readonly messages: readonly BaseMessage[] };

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
   * The model with the tools of this call: the skill tools, yours, and those that loaded skills open, which come last. Traces of the call name the loaded skills.
   *
   * @throws {SkillError} `invalid-options` for a model that cannot bind tools
   */
  bindLoadedTools(
    model: BaseChatModel,
    state: SkillsState,
    options?: { readonly tools?: readonly StructuredToolInterface[]; readonly config?: RunnableConfig | undefined },
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

/**
 * Brings a skillset to a graph of one's own. The graph's state needs the channels of `skillsState` (or `skillsAnnotation`) and `messages`.
 *
 * @throws {SkillError} `reserved-tool-name` for a host's tool with the name of a skill tool
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
 * import { toolsCondition } from '@langchain/langgraph/prebuilt';
 * import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export function graphOf(skillset: Skillset, model: BaseChatModel) {
 *   const skills = langGraphSkills(skillset);
 *   return new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
 *     .addNode('catalog', skills.catalogNode)
 *     .addNode('model', async (state) => {
 *       const bound = await skills.bindLoadedTools(model, state);
 *       const system = await skills.instructions(state, 'You are a helpful assistant.');
 *       return { messages: [await bound.invoke([{ role: 'system', content: system }, ...(await skills.messages(state))])] };
 *     })
 *     .addNode('tools', skills.toolNode())
 *     .addEdge(START, 'catalog')
 *     .addEdge('catalog', 'model')
 *     .addConditionalEdges('model', toolsCondition, ['tools', END])
 *     .addEdge('tools', 'model')
 *     .compile();
 * }
 * ```
 */
export function langGraphSkills<Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  options: LangGraphSkillsOptions<Context> = {},
): LangGraphSkills {
  const binding = bindSkills(source, options);
  const { skillset, channels } = binding;
  const refuse = refuseCall(binding);
  const skillTools = skillset.toolDescriptions.map((description) => toLangChainTool(description, binding));
  const hostTools = binding.hostTools.map((tool) => gateTool(tool, refuse));

  return {
    tools: [...skillTools, ...hostTools],

    async catalogNode(state, config) {
      if (binding.read(state).kept !== undefined) return {};
      const { kept } = await binding.open(state, runOf(config));
      return updateOf(channels, { _skill_session: kept });
    },

    loadSkillsNode: (select) => async (state, config) => loadWanted(binding, select(state) ?? [], state, config ?? {}),

    commandNode: (state, config) => loadCommand(binding, state, config ?? {}),

    async bindLoadedTools(model, state, { tools = [], config } = {}) {
      if (model.bindTools === undefined)
        throw new SkillError('invalid-options', `The model ${model.getName()} cannot bind tools. Use a chat model that has bindTools.`);
      const run = runOf(config);
      const session = await binding.open(state, run);
      const skills = binding.stateOf(session, state);
      const { loadedTools } = binding.read(state);
      const arranged = await arrangeTools([...skillTools, ...tools, ...hostTools], {
        session,
        skills,
        loadedTools,
        skillTools: skillTools.map(({ name }) => name),
        brought: await binding.brought.of(session, skills, { state, run, loadedTools }),
        hideClosed: options.gate === 'hide',
      });
      const names = loadedSkillNames(skills);
      const bound = model.bindTools(modelTools(session, arranged));
      return names.length === 0 ? bound : bound.withConfig({ metadata: { skills: names } });
    },

    async instructions(state, base, config) {
      const run = runOf(config);
      const session = await binding.open(state, run);
      const active = await session.activeInstructions(binding.stateOf(session, state), { signal: run.signal });
      return [session.instructions(base), active].filter((part) => part !== '').join('\n\n');
    },

    async messages(state, config) {
      const run = runOf(config);
      return [...(await binding.shown(await binding.open(state, run), state, run))];
    },

    toolNode(tools = []) {
      const gated = tools.map((tool) => gateTool(tool, refuse));
      return async (state, config) => {
        const run = runOf(config);
        const brought = binding.brought.any ? await broughtNow(state, run) : [];
        const node = new ToolNode([...skillTools, ...hostTools, ...gated, ...brought]);
        // A tool node answers with commands if tools do, which is no update by its type and is one to the graph.
        return (await node.invoke(state, config)) as SkillsNodeUpdate;
      };
    },

    close: (state, config) => binding.brought.close(state, runOf(config)),
  };

  async function broughtNow(state: unknown, run: ReturnType<typeof runOf>): Promise<readonly StructuredToolInterface[]> {
    const session = await binding.open(state, run);
    const { loadedTools, loaded } = binding.read(state);
    const tools = await binding.brought.of(session, loaded, { state, run, loadedTools });
    return tools.map((tool) => gateTool(tool, refuse));
  }
}
