/** An agent of LangChain and a graph of one's own, each loading a skill and then calling the tool which the skill unlocks. */
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import * as z from 'zod';

const refunds = defineSkill({
  name: 'refunds',
  description: 'Refunds orders. Use when a customer wants money back.',
  body: 'Confirm the order, then call process_refund.',
  tools: ['process_refund'],
});

const processRefund = tool(async ({ order }) => `refunded ${order}`, {
  name: 'process_refund',
  description: 'Refunds an order.',
  schema: z.object({ order: z.string() }),
});

const turns = [
  { toolCalls: [{ toolName: 'process_refund', input: { order: 'A1' } }] },
  { toolCalls: [{ toolName: 'load_skill', input: { name: 'refunds' } }] },
  { toolCalls: [{ toolName: 'process_refund', input: { order: 'A1' } }] },
  { text: 'Done.' },
];

async function runAgent(): Promise<readonly BaseMessage[]> {
  const middleware = skillsMiddleware(createSkillset({ skills: [refunds] }), { tools: [processRefund] });
  const { messages } = await createAgent({ model: scriptedModel(turns), middleware: [middleware] }).invoke({
    messages: [new HumanMessage('I want my money back.')],
  });
  return messages;
}

async function runGraph(): Promise<readonly BaseMessage[]> {
  const skills = langGraphSkills(createSkillset({ skills: [refunds] }), { tools: [processRefund] });
  const model = scriptedModel(turns);
  const { messages } = await new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
    .addNode('model', async (state) => ({
      messages: [await (await skills.bindLoadedTools(model, state)).invoke(await skills.messages(state))],
    }))
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile()
    .invoke({ messages: [new HumanMessage('I want my money back.')] });
  return messages;
}

const worker = {
  async fetch(): Promise<Response> {
    const textsOf = (messages: readonly BaseMessage[]): string[] => messages.filter(({ type }) => type === 'tool').map(({ text }) => text);
    return Response.json({ agent: textsOf(await runAgent()), graph: textsOf(await runGraph()) });
  },
};
export default worker;
