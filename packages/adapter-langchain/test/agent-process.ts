/**
 * An agent in a process of its own, which the test kills in the middle of a run: `node agent-process.ts <agent|graph> <database> <load|order|resume> <thread>`. `load` begins the
 * run, and hangs while it loads one of two skills at once; `order` goes on with it, and hangs in a tool; `resume` goes on to the end. Where it hangs, it prints `waiting`;
 * at the end, what became of the conversation.
 */
import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createSkillset } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel, type ScriptedTurn } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { hostTools, skills as definitions } from './billing-skills.ts';
import { turn } from './scripts.ts';

const [kind, url = '', phase, thread] = process.argv.slice(2);
const source = fixedSkillProvider(definitions);
const skillset = createSkillset({
  provider: { ...source, getSkill: (name, options) => (phase === 'load' && name === 'orders' ? hang() : source.getSkill(name, options)) },
});
const { process_refund, ran } = hostTools();
const lookup_order = tool(async ({ id }) => (phase === 'order' ? hang() : `order ${id}`), {
  name: 'lookup_order',
  description: 'Finds an order.',
  schema: z.object({ id: z.string() }),
});
const tools = [process_refund, lookup_order];

// What it says follows from the conversation alone, as a real model's answer does, and no two processes may give the same ids.
const model = scriptedModel(({ messages }) => {
  const done = new Set(messages.flatMap((message) => (ToolMessage.isInstance(message) ? [message.name] : [])));
  if (!done.has('load_skill')) return withIds(turn(['load_skill', { name: 'billing' }], ['load_skill', { name: 'orders' }]));
  if (!done.has('lookup_order')) return withIds(turn(['lookup_order', { id: 'A-17' }]));
  if (!done.has('process_refund')) return withIds(turn(['process_refund', { amount: 40 }]));
  return turn('Refunded.');
});

const checkpointer = url.startsWith('postgres') ? PostgresSaver.fromConnString(url) : SqliteSaver.fromConnString(url);
if (checkpointer instanceof PostgresSaver) await checkpointer.setup();
const input = phase === 'load' ? { messages: [new HumanMessage('Money for A-17!')] } : null;
// Each step is stored before the next one begins.
const config = { configurable: { thread_id: thread }, durability: 'sync' as const };
const result = await (kind === 'agent' ? runAgent() : runGraph());
console.log(
  JSON.stringify({
    bound: model.calls.map(({ toolNames }) => toolNames),
    loads: result.messages.filter(({ name }) => name === 'load_skill').length,
    bodies: result.messages.filter(({ text }) => text.includes('# Billing')).length,
    loaded: Object.keys(result.loaded_skills),
    tools: result.loaded_tools,
    ran,
    answer: result.messages.at(-1)?.text,
  }),
);
process.exit(0);

function hang(): Promise<never> {
  console.log('waiting');
  return new Promise(() => setInterval(() => {}, 1_000));
}

function withIds({ toolCalls = [] }: ScriptedTurn): ScriptedTurn {
  return { toolCalls: toolCalls.map((call, index) => ({ ...call, toolCallId: `${phase}-${call.toolName}-${index}` })) };
}

interface Result {
  readonly messages: readonly BaseMessage[];
  readonly loaded_skills: object;
  readonly loaded_tools: object;
}

async function runAgent(): Promise<Result> {
  const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset, { tools, gate: 'hide' })] });
  return agent.invoke(input as never, config);
}

async function runGraph(): Promise<Result> {
  const skills = langGraphSkills(skillset, { tools, gate: 'hide' });
  const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
    .addNode('catalog', skills.catalogNode)
    .addNode('model', async (state) => ({ messages: [await (await skills.bindLoadedTools(model, state)).invoke([...state.messages])] }))
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer });
  return graph.invoke(input, config);
}
