/** An agent as YAML, which loads a skill and then calls the tool that the skill opens; and the checks and the drawing of a file. */
import { tool } from '@langchain/core/tools';
import { agentGraph, checkAgent, compileAgent } from '@repertoire/declarative';
import { defineSkill, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import * as z from 'zod';

const text = `
skills: [{ id: refunds, version: ^1.0 }]
llms: [{ id: main }]
state: { calls: { type: int, reducer: sum } }
nodes:
  - name: answer
    type: call_llm
    args:
      prompt: 'template("Skills: \${skills}", {"skills": string(skills)})'
      tools: [{ id: load_skill_md }]
      use_tools_from_loaded_skills: true
      state_updates: { messages: '[llm_response]', calls: '1' }
`;

const refunds = defineSkill({
  name: 'refunds',
  version: '1.2.0',
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
  { toolCalls: [{ toolName: 'load_skill_md', input: { name: 'refunds' } }] },
  { toolCalls: [{ toolName: 'process_refund', input: { order: 'A1' } }] },
  { text: 'Done.' },
];

const worker = {
  async fetch(): Promise<Response> {
    const graph = await compileAgent(text, {
      models: { main: scriptedModel(turns) },
      tools: [processRefund],
      skills: new SkillRegistry({ skills: [refunds] }),
    });
    const state = await graph.invoke({ messages: [{ role: 'user', content: 'I want my money back.' }] });
    const { problems } = await checkAgent(text.replace('llm_response', 'llm_respnse'));
    return Response.json({
      texts: state.messages.filter(({ type }) => type === 'tool').map((message) => message.text),
      calls: state['calls'],
      problems: problems.map(({ line, column, message, fix }) => `${line}:${column} ${message} ${fix}`),
      drawn: (await agentGraph(text)).startsWith('%%{init'),
    });
  },
};
export default worker;
