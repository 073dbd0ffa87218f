import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, SystemMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { isGraphBubbleUp } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { SkillError, type SkillProvider, type Skillset } from '@repertoire/skills-core';
import { arrangeTools, loadedSkillNames } from '@repertoire/skills-core/adapter';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { bindSkills } from '../binding/bind-skills.ts';
import type { ToolsBySkill } from '../binding/brought-tools.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import { knownSkillsOptions, type SkillsArguments, type SkillsOptions } from '../binding/skills-options.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { endHostCalls } from '../messages/end-host-calls.ts';
import { updatedState, updateOf } from '../state/graph-state.ts';
import { gateTool } from '../tools/gate-tool.ts';
import { modelTools } from '../tools/model-tools.ts';
import { refuseCall } from '../tools/refuse-call.ts';
import { toLangChainTool } from '../tools/to-langchain-tool.ts';
import { addSkills } from './add-skills.ts';
import type { LangGraphSkills } from './langgraph-parts.ts';
import { addSkillsRules } from './add-skills-options.ts';
import { bindLoadedToolsRules, modelNodeRules, type BindLoadedToolsOptions } from './model-node-options.ts';
import { loadCommand } from './load-command.ts';
import { loadWanted } from './load-wanted.ts';
import type { SkillsNodeUpdate } from './node-update.ts';
import { renewSkills } from './renew-skills.ts';

/** Options of {@link langGraphSkills}. */
export type LangGraphSkillsOptions<Context = undefined> = SkillsOptions<Context>;

/**
 * Connects a skillset to a graph of your own. The graph's state needs the channels of `skillsState`
 * (or `skillsAnnotation`) and `messages`.
 *
 * @throws {SkillError} `reserved-tool-name` if a tool of the host has the name of a skill tool;
 *   `invalid-options` for an unknown option
 * @example
 * ```ts
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
 * import { MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
 * import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export function graphOf(skillset: Skillset, model: BaseChatModel) {
 *   const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }));
 *   return langGraphSkills(skillset).addTo(graph, { model, base: 'You are a helpful assistant.' }).compile();
 * }
 * ```
 */
export function langGraphSkills<Context = undefined>(
  source: Skillset<Context> | SkillProvider,
  ...[options = {}]: SkillsArguments<Context, LangGraphSkillsOptions<Context>>
): LangGraphSkills {
  assertKnownOptions('langGraphSkills', options, knownSkillsOptions);
  const binding = bindSkills(source, options);
  const { skillset, channels, brought } = binding;
  const refuse = refuseCall(binding);
  const skillTools = skillset.toolDescriptions.map((description) => toLangChainTool(description, binding));
  const hostTools = binding.hostTools.map((tool) => gateTool(tool, refuse));
  const closeBrought = (state: unknown, run: SkillsRun): Promise<void> => brought.close(binding.idOf(state, run));

  const skills: LangGraphSkills = {
    tools: [...skillTools, ...hostTools],

    async catalogNode(state, config) {
      if (binding.read(state).kept !== undefined) return {};
      const { session } = await binding.enter(state, runOf(config));
      return updateOf(channels, { _skill_session: session.kept });
    },

    loadSkillsNode: (select) => async (state, config) => loadWanted(binding, select(state) ?? [], state, config ?? {}),

    commandNode: (state, config) => loadCommand(binding, state, config ?? {}),

    modelNode(model, nodeOptions = {}) {
      assertKnownOptions('modelNode', nodeOptions, modelNodeRules);
      const { base, ...bindOptions } = nodeOptions;
      return async (state, config) => {
        const run = runOf(config);
        try {
          const before = await binding.enter(state, run);
          const renewed = await renewSkills(binding, before);
          const conversation = renewed === null ? before : await binding.enter(updatedState(state, renewed), run);
          const bound = await bind(model, conversation, bindOptions);
          const system = await instructionsOf(conversation, typeof base === 'function' ? await base(state) : base);
          const { messages } = await conversation.shown();
          const seen = endHostCalls(messages, model, skillset.toolNames.load);
          const answer = await bound.invoke([...(system === '' ? [] : [new SystemMessage(system)]), ...seen], config);
          const kept = binding.read(state).kept === undefined && updateOf(channels, { _skill_session: conversation.session.kept });
          return { ...renewed, messages: [...(renewed?.messages ?? []), answer], ...kept };
        } catch (error) {
          // A failed run has no end node, so connections are closed here.
          if (!isGraphBubbleUp(error)) await closeBrought(state, run);
          throw error;
        }
      };
    },

    addTo(graph, addOptions) {
      assertKnownOptions('addTo', addOptions, addSkillsRules);
      addSkills(skills, graph as never, addOptions, brought.any);
      return graph as never;
    },

    async bindLoadedTools(model, state, bindingOptions = {}) {
      assertKnownOptions('bindLoadedTools', bindingOptions, bindLoadedToolsRules);
      const { config, ...bindOptions } = bindingOptions;
      return bind(model, await binding.enter(state, runOf(config)), bindOptions);
    },

    instructions: async (state, base, config) => instructionsOf(await binding.enter(state, runOf(config)), base),

    async messages(state, config) {
      const { messages } = await (await binding.enter(state, runOf(config))).shown();
      return [...messages];
    },

    toolNode(tools = []) {
      const known = [...skillTools, ...hostTools, ...tools.map((tool) => gateTool(tool, refuse))];
      const names = new Set(known.map(({ name }) => name));
      return async (state, config) => {
        const run = runOf(config);
        const added =
          brought.any && calledNames(binding.read(state).messages, state).some((name) => !names.has(name))
            ? await broughtNow(state, run)
            : [];
        try {
          // After commands, the tool node returns commands, which its type does not say.
          return (await new ToolNode([...known, ...added]).invoke(state, config)) as SkillsNodeUpdate;
        } catch (error) {
          if (!isGraphBubbleUp(error)) await closeBrought(state, run);
          throw error;
        }
      };
    },

    close: (state, config) => closeBrought(state, runOf(config)),
  };
  return skills;

  async function bind(
    model: BaseChatModel,
    conversation: SkillsConversation,
    { tools = [], bind: which = 'all' }: Omit<BindLoadedToolsOptions, 'config'>,
  ): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>> {
    if (model.bindTools === undefined)
      throw new SkillError('invalid-options', `The model ${model.getName()} cannot bind tools. Use a chat model that has bindTools.`);
    const { session } = conversation;
    const state = conversation.skills();
    const ends = skillset.toolDescriptions.flatMap(({ role, name }) => (role === 'load' || role === 'unload' ? [name] : []));
    const own = { all: skillTools, loaded: [], 'load-and-unload': skillTools.filter(({ name }) => ends.includes(name)) }[which];
    const host = { all: hostTools, loaded: hostTools.filter(({ name }) => session.isGated(name)), 'load-and-unload': [] }[which];
    const opened: ToolsBySkill = which === 'load-and-unload' ? new Map() : await conversation.broughtTools();
    const arranged = await arrangeTools({
      session,
      state,
      tools: [...own, ...tools, ...host],
      skillTools: skillTools.map(({ name }) => name),
      brought: opened,
      hideClosed: options.gate === 'hide' || which === 'loaded',
      nameOf: ({ name }) => name,
    });
    const names = loadedSkillNames(state);
    const bound = model.bindTools(modelTools(session, arranged));
    return names.length === 0 ? bound : bound.withConfig({ metadata: { skills: names } });
  }

  async function instructionsOf(conversation: SkillsConversation, base: string | undefined): Promise<string> {
    const { session, signal } = conversation;
    const active = await session.activeInstructions(conversation.skills(), { signal });
    return [session.instructions(base), active].filter((part) => part !== '').join('\n\n');
  }

  /** If skills cannot be read, calls of these tools are answered like unknown tools. */
  async function broughtNow(state: unknown, run: SkillsRun): Promise<readonly StructuredToolInterface[]> {
    try {
      const conversation = await binding.enter(state, run);
      return [...(await conversation.broughtTools())].flatMap(([skill, tools]) => tools.map((tool) => gateTool(tool, refuse, skill)));
    } catch {
      run.signal?.throwIfAborted();
      return [];
    }
  }
}

/** The tools that a tool node is about to run: of the last answer, or the call sent to it. */
function calledNames(messages: readonly BaseMessage[], state: object): string[] {
  const sent = (state as { readonly lg_tool_call?: { readonly name: string } }).lg_tool_call;
  if (sent !== undefined) return [sent.name];
  return messages.findLast((message) => AIMessage.isInstance(message))?.tool_calls?.map(({ name }) => name) ?? [];
}
