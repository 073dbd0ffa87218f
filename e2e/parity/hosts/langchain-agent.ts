import { HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { MemorySaver, REMOVE_ALL_MESSAGES, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { skillsState } from '@repertoire/adapter-langchain/langgraph';
import type { SkillProvider, SkillState } from '@repertoire/skills-core';
import { createAgent, createMiddleware } from 'langchain';
import { basePrompt, conversationOf, paritySkillset, type ParityVariant } from '../conversation.ts';
import type { ModelCall, ParityHost } from '../record.ts';
import { callOf, conversationModel, cutMessages, langChainOptions, stateOf } from './langchain-record.ts';

/** `createAgent` of LangChain with the middleware; a checkpointer keeps the state. */
export const langChainAgentHost: ParityHost = { name: 'LangChain createAgent', play };

async function play(provider: SkillProvider, variant: ParityVariant): Promise<readonly ModelCall[]> {
  const skillset = paritySkillset(provider, variant);
  const model = conversationModel(variant);
  const states: SkillState[] = [];
  const watch = createMiddleware({
    name: 'Watch',
    stateSchema: new StateSchema(skillsState),
    async wrapModelCall(request, handler) {
      states.push(await stateOf(skillset, request.state.loaded_skills, { kept: request.state.messages, shown: request.messages }));
      return handler(request);
    },
  });
  const agent = createAgent({
    model,
    systemPrompt: basePrompt,
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(skillset, langChainOptions(variant)), watch],
  });
  const thread = { configurable: { thread_id: 'parity' }, recursionLimit: 100 };

  for (const event of conversationOf(variant)) {
    if ('summary' in event) {
      const { messages } = (await agent.graph.getState(thread)).values as { messages: HumanMessage[] };
      const left = cutMessages(messages, event.summary, event.keepTurns);
      await agent.graph.updateState(thread, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...left] });
    } else {
      await agent.invoke({ messages: [new HumanMessage(event.user)] }, thread);
    }
  }
  return model.calls.map((call, index) => callOf(call, states[index] ?? { loaded: {} }));
}
