import { HumanMessage, RemoveMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesValue, REMOVE_ALL_MESSAGES, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { emptySkillState, type SkillState } from '@repertoire/skills-core';
import type { AdapterConversation, AdapterSetup, SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
import { conversationModel, cutMessages, firstInput, langChainOptions, stateOf, unlessRefused } from './langchain-record.ts';

/** A graph of one's own; it restores what a cut took when it cuts. */
export const langGraphAdapter: SkillAdapterUnderTest = { name: 'LangGraph', extended: true, converse };

const State = new StateSchema({ messages: MessagesValue, ...skillsState });

function converse(setup: AdapterSetup): AdapterConversation {
  let readState = async (): Promise<SkillState> => emptySkillState;
  const model = conversationModel(setup, async () => await readState());
  const skills = langGraphSkills(setup.skillset, langChainOptions(setup));
  const graph = new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode('model', async (state, config) => {
      // With what is restored and what is due, for this call alone.
      const messages = await skills.messages(state, config);
      readState = async () => await stateOf(setup, state.loaded_skills, { kept: state.messages, shown: messages });
      const bound = await skills.bindLoadedTools(model, state, { config });
      const system = await skills.instructions(state, setup.instructions, config);
      return { messages: [await bound.invoke([{ role: 'system', content: system }, ...messages])] };
    })
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: 'one' }, recursionLimit: 100 };
  let isFirst = true;
  return {
    async ask(text) {
      const { messages, ...channels } = isFirst ? firstInput(setup) : { messages: [] };
      isFirst = false;
      const input = { messages: [...(messages as HumanMessage[]), new HumanMessage(text)], ...channels };
      await unlessRefused(setup, graph.invoke(input, thread));
    },
    async cut(summary, keepTurns) {
      const state = (await graph.getState(thread)).values as typeof State.State;
      const left = await skills.messages({ ...state, messages: cutMessages(state.messages, summary, keepTurns) }, thread);
      await graph.updateState(thread, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...left] });
    },
  };
}
