import { HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesValue, REMOVE_ALL_MESSAGES, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import type { SkillProvider, SkillState } from '@repertoire/skills-core';
import { basePrompt, conversationOf, paritySkillset, type ParityVariant } from '../conversation.ts';
import type { ModelCall, ParityHost } from '../record.ts';
import { callOf, conversationModel, cutMessages, langChainOptions, stateOf } from './langchain-record.ts';

/** A graph of one's own; it puts back what a cut took when it cuts. */
export const langGraphHost: ParityHost = { name: 'LangGraph', play };

const State = new StateSchema({ messages: MessagesValue, ...skillsState });

async function play(provider: SkillProvider, variant: ParityVariant): Promise<readonly ModelCall[]> {
  const skillset = paritySkillset(provider, variant);
  const model = conversationModel(variant);
  const states: SkillState[] = [];
  const skills = langGraphSkills(skillset, langChainOptions(variant));
  const graph = new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode('model', async (state, config) => {
      // With what is put back and what is due, for this call alone.
      const messages = await skills.messages(state, config);
      states.push(await stateOf(skillset, state.loaded_skills, { kept: state.messages, shown: messages }));
      const bound = await skills.bindLoadedTools(model, state, { config });
      const system = await skills.instructions(state, basePrompt, config);
      return { messages: [await bound.invoke([{ role: 'system', content: system }, ...messages])] };
    })
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: 'parity' }, recursionLimit: 100 };

  for (const event of conversationOf(variant)) {
    if ('summary' in event) {
      const state = (await graph.getState(thread)).values as typeof State.State;
      const left = await skills.messages({ ...state, messages: cutMessages(state.messages, event.summary, event.keepTurns) }, thread);
      await graph.updateState(thread, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...left] });
    } else {
      await graph.invoke({ messages: [new HumanMessage(event.user)] }, thread);
    }
  }
  return model.calls.map((call, index) => callOf(call, states[index] ?? { loaded: {} }));
}
