import { HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { MemorySaver, REMOVE_ALL_MESSAGES, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { skillsState } from '@repertoire/adapter-langchain/langgraph';
import { emptySkillState, type SkillState } from '@repertoire/skills-core';
import type { AdapterConversation, AdapterSetup, SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
import { createAgent, createMiddleware } from 'langchain';
import { conversationModel, cutMessages, firstInput, langChainOptions, stateOf, unlessRefused } from './langchain-record.ts';

/** `createAgent` of LangChain with the middleware; a checkpointer keeps the state. */
export const langChainAgentAdapter: SkillAdapterUnderTest = { name: 'LangChain createAgent', extended: true, converse };

function converse(setup: AdapterSetup): AdapterConversation {
  let readState = async (): Promise<SkillState> => emptySkillState;
  const watch = createMiddleware({
    name: 'Watch',
    stateSchema: new StateSchema(skillsState),
    async wrapModelCall(request, handler) {
      readState = async () => await stateOf(setup, request.state.loaded_skills, { kept: request.state.messages, shown: request.messages });
      return handler(request);
    },
  });
  const agent = createAgent({
    model: conversationModel(setup, async () => await readState()),
    systemPrompt: setup.instructions,
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(setup.skillset, langChainOptions(setup)), watch],
  });
  const thread = { configurable: { thread_id: 'one' }, recursionLimit: 100 };
  let isFirst = true;
  return {
    async ask(text) {
      const { messages, ...channels } = isFirst ? firstInput(setup) : { messages: [] };
      isFirst = false;
      const input = { messages: [...(messages as HumanMessage[]), new HumanMessage(text)], ...channels };
      await unlessRefused(setup, agent.graph.invoke(input as never, thread));
    },
    async cut(summary, keepTurns) {
      const { messages } = (await agent.graph.getState(thread)).values as { messages: HumanMessage[] };
      const left = cutMessages(messages, summary, keepTurns);
      await agent.graph.updateState(thread, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...left] });
    },
  };
}
