import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { Runnable, RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { SkillError, type Skillset } from '@repertoire/skills-core';
import { loadedSkillNames, type ReattachOptions } from '@repertoire/skills-core/state';
import { bindSkills } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import type { SkillsOptions } from '../binding/skills-options.ts';
import { withMissingSkills } from '../messages/with-missing-skills.ts';
import { refreshSkills } from '../messages/refresh-skills.ts';
import { readable } from '../state/skill-state-of.ts';
import type { SkillsGraphState, SkillsStateUpdate } from '../state/skills-state.ts';
import { arrangeTools } from '../tools/arrange-tools.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import { loadCommand } from './load-command.ts';
import { loadWanted, type SkillWanted } from './load-wanted.ts';

/** Options of {@link langGraphSkills}. */
export interface LangGraphSkillsOptions<Context = undefined> extends SkillsOptions<Context> {
  /**
   * What becomes of locked tools: `bind` hides them from the model, besides refusing their calls; `execute` shows them, so that the list of tools never changes.
   * @default 'bind'
   */
  readonly gate?: 'execute' | 'bind' | undefined;
  /** How much room instructions have that were cut from the messages. @default 25,000 tokens together, 5,000 each */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | undefined;
}

/** A graph's state with the channels of skills and messages. */
export type SkillsState = SkillsGraphState & { readonly messages: readonly BaseMessage[] };

/** What a node answers. */
export type SkillsNodeUpdate = SkillsStateUpdate & { messages?: BaseMessage[] };

/** The parts of a graph that knows skills. Nothing in it belongs to a conversation, so one serves all of them. */
export interface LangGraphSkills {
  /** The skill tools, and the host's tools, which refuse while they are locked. */
  readonly tools: readonly StructuredToolInterface[];
  /**
   * A node that reads the catalog into the state, once a conversation, so that the model sees the same bytes for all of it. Put it first. Without it, and before any
   * `loadSkillsNode`, each part reads the catalog anew.
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
  /** A node that carries out the skillset's `refreshPolicy`: it repeats instructions that were given long ago. Put it before the model. */
  refreshNode(state: SkillsState, config?: RunnableConfig): Promise<SkillsNodeUpdate>;
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
  /** The messages for a model call: with the instructions of loaded skills whose own were cut, by a summary or by hand. */
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
  skillset: Skillset<Context>,
  options: LangGraphSkillsOptions<Context> = {},
): LangGraphSkills {
  const binding = bindSkills(skillset, options);
  const refuse = refuseCall(binding, (config) => (config as { readonly state?: unknown } | undefined)?.state);
  const skillTools = binding.definitions.map((definition) => toLangChainTool(definition, binding));
  const hostTools = binding.hostTools.map((tool) => gateTool(tool, refuse));

  return {
    tools: [...skillTools, ...hostTools],

    async catalogNode(state, config) {
      return readable(state)['_skill_catalog'] ? {} : { _skill_catalog: await binding.readCatalog(runOf(config)) };
    },

    loadSkillsNode: (select) => async (state, config) => {
      const run = runOf(config);
      const kept = readable(state)['_skill_catalog'] ?? (await binding.readCatalog(run));
      const update = await loadWanted(binding, select(state) ?? [], { ...state, _skill_catalog: kept }, config ?? {});
      return { ...update, ...(readable(state)['_skill_catalog'] ? {} : { _skill_catalog: kept }) };
    },

    commandNode: (state, config) => loadCommand(binding, state, config ?? {}),

    async refreshNode(state, config) {
      const run = runOf(config);
      return (await refreshSkills(skillset, await binding.catalogOf(state, run), binding.stateOf(state), state.messages, run.signal)) ?? {};
    },

    async bindLoadedTools(model, state, { tools = [], config } = {}) {
      if (model.bindTools === undefined)
        throw new SkillError('invalid-options', `The model ${model.getName()} cannot bind tools. Use a chat model that has bindTools.`);
      const run = runOf(config);
      const catalog = await binding.catalogOf(state, run);
      const skills = binding.stateOf(state);
      const own = skillset.tools(catalog);
      const arranged = arrangeTools([...skillTools, ...tools, ...hostTools], {
        skillset,
        catalog,
        skills,
        loadedTools: readable(state).loaded_tools ?? {},
        skillTools: skillTools.map(({ name }) => name),
        lockable: hostTools.map(({ name }) => name),
        brought: await binding.brought.of(catalog, skills, state, run),
        hideLocked: options.gate !== 'execute',
      }).map((tool) => {
        const definition = own.find(({ name }) => name === tool.name);
        return definition === undefined || definition.description === tool.description ? tool : toLangChainTool(definition, binding);
      });
      const names = loadedSkillNames(skills);
      const bound = model.bindTools(arranged);
      return names.length === 0 ? bound : bound.withConfig({ metadata: { skills: names } });
    },

    async instructions(state, base, config) {
      const run = runOf(config);
      const catalog = await binding.catalogOf(state, run);
      const active = await skillset.activeInstructions(catalog, binding.stateOf(state), { signal: run.signal });
      return [skillset.instructions(catalog, base), active].filter((part) => part !== '').join('\n\n');
    },

    async messages(state, config) {
      const run = runOf(config);
      const catalog = await binding.catalogOf(state, run);
      return withMissingSkills(state.messages, {
        skillset,
        catalog,
        skills: binding.stateOf(state),
        options: options.reattach,
        signal: run.signal,
      });
    },

    toolNode(tools = []) {
      const gated = tools.map((tool) => gateTool(tool, refuse));
      return async (state, config) => {
        const run = runOf(config);
        const brought = binding.brought.any
          ? await binding.brought.of(await binding.catalogOf(state, run), binding.stateOf(state), state, run)
          : [];
        const node = new ToolNode([...skillTools, ...hostTools, ...gated, ...brought.map((tool) => gateTool(tool, refuse))]);
        // A tool node answers with commands where tools do, which is no update by its type and is one to the graph.
        return (await node.invoke(state, config)) as SkillsNodeUpdate;
      };
    },

    close: (state, config) => binding.brought.close(state, runOf(config)),
  };
}
