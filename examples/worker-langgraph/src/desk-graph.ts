import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema, type BaseCheckpointSaver } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { skills as bundled } from './skills.gen.ts';

/** What the graph is made with. */
export interface DeskGraphOptions {
  readonly model: BaseChatModel;
  readonly tools: readonly StructuredToolInterface[];
  readonly checkpointer: BaseCheckpointSaver;
}

/** The graph, compiled. */
export type DeskGraph = ReturnType<typeof deskGraph>;
/** What it keeps of a conversation. */
export type DeskState = typeof State.State;

const skillset = createSkillset({ skills: bundled });
const State = new StateSchema({ messages: MessagesValue, ...skillsState });

/** A library's desk: a model and its tools in turns, with skills that the model loads as it needs them. */
export function deskGraph({ model, tools, checkpointer }: DeskGraphOptions) {
  const skills = langGraphSkills(skillset, { tools });
  return new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode('model', async (state, config) => {
      const bound = await skills.bindLoadedTools(model, state, { config });
      const system = await skills.instructions(state, 'You are the desk of a public library.', config);
      return { messages: [await bound.invoke([{ role: 'system', content: system }, ...(await skills.messages(state, config))], config)] };
    })
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer });
}
