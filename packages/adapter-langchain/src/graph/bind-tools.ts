import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk } from '@langchain/core/messages';
import type { Runnable } from '@langchain/core/runnables';
import { SkillError } from '@repertoire/skills-core';
import { arrangeTools, loadedSkillNames } from '@repertoire/skills-core/adapter';
import { assertNoOtherSkillTools, type BoundTools } from '../binding/bound-tools.ts';
import type { ToolsBySkill } from '../binding/tools-of-skills.ts';
import type { SkillsConversation } from '../binding/skills-conversation.ts';
import { modelTools } from '../tools/model-tools.ts';
import type { BindLoadedToolsOptions } from './model-node-options.ts';

/** The model with the tools of one call. See {@link LangGraphSkills.bindLoadedTools}. */
export async function bindTools<Context>(
  bound: BoundTools<Context>,
  model: BaseChatModel,
  conversation: SkillsConversation,
  { tools = [], bind: which = 'all' }: Omit<BindLoadedToolsOptions, 'config'>,
): Promise<Runnable<BaseLanguageModelInput, AIMessageChunk>> {
  if (model.bindTools === undefined)
    throw new SkillError('invalid-options', `The model ${model.getName()} cannot bind tools. Use a chat model that has bindTools.`);
  assertNoOtherSkillTools(bound, tools);
  const { skillTools, hostTools } = bound;
  const { skillset, options } = bound.binding;
  const { session } = conversation;
  const state = conversation.skills();
  const ends = skillset.toolDescriptions.flatMap(({ role, name }) => (role === 'load' || role === 'unload' ? [name] : []));
  const own = { all: skillTools, loaded: [], 'load-and-unload': skillTools.filter(({ name }) => ends.includes(name)) }[which];
  const host = { all: hostTools, loaded: hostTools.filter(({ name }) => session.isGated(name)), 'load-and-unload': [] }[which];
  const toolsOfSkills: ToolsBySkill = which === 'load-and-unload' ? new Map() : await conversation.toolsOfSkills();
  const arranged = await arrangeTools({
    session,
    state,
    tools: [...own, ...tools, ...host],
    skillTools: skillTools.map(({ name }) => name),
    toolsOfSkills,
    hideClosed: options.gate === 'hide' || which === 'loaded',
    nameOf: ({ name }) => name,
  });
  const names = loadedSkillNames(state);
  const withTools = model.bindTools(modelTools(session, arranged));
  return names.length === 0 ? withTools : withTools.withConfig({ metadata: { skills: names } });
}
