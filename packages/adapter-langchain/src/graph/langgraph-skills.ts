import type { SkillProvider, Skillset } from '@repertoire/skills-core';
import { assertKnownOptions } from '@repertoire/skills-core/internal';
import { bindSkills } from '../binding/bind-skills.ts';
import { boundTools } from '../binding/bound-tools.ts';
import { knownSkillsOptions, type SkillsArguments, type SkillsOptions } from '../binding/skills-options.ts';
import { runOf } from '../binding/skills-run.ts';
import { updateOf } from '../state/graph-state.ts';
import { addSkills } from './add-skills.ts';
import { addSkillsRules } from './add-skills-options.ts';
import { bindTools } from './bind-tools.ts';
import type { LangGraphSkills } from './langgraph-parts.ts';
import { endRun } from './end-run.ts';
import { loadCommand } from './load-command.ts';
import { loadWanted } from './load-wanted.ts';
import { bindLoadedToolsRules } from './model-node-options.ts';
import { instructionsOf, modelNode } from './model-node.ts';
import { toolNode } from './tool-node.ts';

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
  const bound = boundTools(binding);
  const skills: LangGraphSkills = {
    tools: [...bound.skillTools, ...bound.hostTools],

    async catalogNode(state, config) {
      const run = runOf(config);
      const ended = await endRun(binding, state, run);
      if (binding.read(state).kept !== undefined) return ended;
      const { session } = await binding.enter(state, run);
      return { ...ended, ...updateOf(binding.channels, { _skill_session: session.kept }) };
    },

    loadSkillsNode: (select) => async (state, config) => loadWanted(binding, select(state) ?? [], state, config ?? {}),

    commandNode: (state, config) => loadCommand(binding, state, config ?? {}),

    modelNode: (model, nodeOptions = {}) => modelNode(bound, model, nodeOptions),

    addTo(graph, addOptions) {
      assertKnownOptions('addTo', addOptions, addSkillsRules);
      addSkills(skills, graph as never, addOptions, { begins: options.activeFor === 'run', closes: binding.toolsOfSkills.any });
      return graph as never;
    },

    async bindLoadedTools(model, state, bindingOptions = {}) {
      assertKnownOptions('bindLoadedTools', bindingOptions, bindLoadedToolsRules);
      const { config, ...bindOptions } = bindingOptions;
      return bindTools(bound, model, await binding.enter(state, runOf(config)), bindOptions);
    },

    instructions: async (state, base, config) => instructionsOf(await binding.enter(state, runOf(config)), base),

    async messages(state, config) {
      const { messages } = await (await binding.enter(state, runOf(config))).shown();
      return [...messages];
    },

    toolNode: (tools = []) => toolNode(bound, tools),

    close: (state, config) => binding.close(state, runOf(config)),
  };
  return skills;
}
