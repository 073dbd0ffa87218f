/** A graph of LangGraph that may call a tool only after it loaded the skill which opens it. */
import { tool } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import * as z from 'zod';

const invoices = defineSkill({
  name: 'invoices',
  description: 'Writes invoices. Use when asked for one.',
  body: 'Call number.',
  tools: ['number'],
});

export async function answer(): Promise<unknown> {
  const numbered: string[] = [];
  const number = tool(async ({ order }) => `number ${numbered.push(order)}`, {
    name: 'number',
    description: 'Numbers.',
    schema: z.object({ order: z.string() }),
  });
  const model = scriptedModel([
    { toolCalls: [{ toolName: 'number', input: { order: 'too early' } }] },
    { toolCalls: [{ toolName: 'load_skill', input: { name: 'invoices' } }] },
    { toolCalls: [{ toolName: 'number', input: { order: 'B-7' } }] },
    { text: 'It is written.' },
  ]);
  const skills = langGraphSkills(createSkillset({ skills: [invoices] }), { tools: [number] });
  const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
    .addNode('model', async (state) => ({
      messages: [await (await skills.bindLoadedTools(model, state)).invoke(await skills.messages(state))],
    }))
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile();
  const { messages, loaded_skills: loaded } = await graph.invoke({ messages: [{ role: 'user', content: 'An invoice, please.' }] });
  return { text: messages.at(-1)?.text, numbered, loaded: Object.keys(loaded) };
}
