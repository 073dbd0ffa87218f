import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type BaseMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
  SystemMessage,
  type BaseMessageLike,
} from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { SkillsState } from '@repertoire/adapter-langchain/langgraph';
import { toExpressionValue } from '../cel/values.ts';
import type { CallLlmPlan, PromptPlan } from '../plan/agent-plan.ts';
import type { AgentSkills } from './agent-skills.ts';
import { askStructured } from './ask-structured.ts';
import { expressionsOf, updateOf, withMessages, type OpenScope, type Variables } from './scope.ts';

/** The update that a node returns. */
export type NodeUpdate = Readonly<Record<string, unknown>>;
/** What a node does. */
export type RunNode = (state: SkillsState, config: RunnableConfig) => Promise<NodeUpdate>;

/** A node that calls a model. */
export function callLlm(node: CallLlmPlan, model: BaseChatModel, skills: AgentSkills, openScope: OpenScope): RunNode {
  const { prompt, tools, usesLoadedSkills, responseFormat, updates } = node;
  const prompts = prompt.kind === 'system' ? [prompt.expression] : prompt.parts.map(({ expression }) => expression);
  const expressions = [...prompts, ...expressionsOf(updates)];
  const callsTools = tools.length > 0 || usesLoadedSkills;

  return async (given, config) => {
    const kept = await skills.keep(given, config);
    const { state, variables } = await openScope(kept.state, config, expressions);
    const shown = withMessages(variables, await skills.messages(state, config));
    const messages = messagesOf(prompt, shown);
    const bound = callsTools ? await skills.bind(model, state, config, { names: tools, ofLoadedSkills: usesLoadedSkills }) : model;
    const response =
      responseFormat === undefined
        ? await bound.invoke(messages, config)
        : await askStructured(model, responseFormat, messages, config, node.name);
    return { ...kept.update, ...updateOf(updates, { ...variables, llm_response: toExpressionValue(response) }) };
  };
}

function messagesOf(prompt: PromptPlan, variables: Variables): BaseMessage[] {
  if (prompt.kind === 'system') {
    const { messages } = variables['state'] as { readonly messages: readonly { readonly message: BaseMessage }[] };
    return [new SystemMessage(String(prompt.expression.evaluate(variables))), ...messages.map(({ message }) => message)];
  }
  return prompt.parts.flatMap(({ role, expression }): BaseMessage[] => {
    const content = expression.evaluate(variables);
    switch (role) {
      case 'system':
        return [new SystemMessage(String(content))];
      case 'human':
        return [new HumanMessage(String(content))];
      case 'ai':
        return [new AIMessage(String(content))];
      case 'messages':
        return (content as readonly BaseMessageLike[]).map((message) => coerceMessageLikeToMessage(message));
    }
  });
}
