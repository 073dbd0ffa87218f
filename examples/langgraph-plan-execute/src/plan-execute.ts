import assert from 'node:assert/strict';
import { HumanMessage } from '@langchain/core/messages';
import { END, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import * as z from 'zod';
import { deskTools, skillset } from './delivery-skills.ts';

const State = new StateSchema({
  messages: MessagesValue,
  selected: z.array(z.object({ id: z.string(), version: z.string().optional() })).default([]),
  plan: z.string().default(''),
  ...skillsState,
});

/**
 * A graph of your own: find the skills, load them, plan, execute. While executing, the model may
 * load further skills.
 */
export async function runPlanExecute(tell: (line: string) => void): Promise<void> {
  const { done, tools } = deskTools();
  const skills = langGraphSkills(skillset, { tools, gate: 'hide' });
  const finder = scriptedModel([{ text: '[{ "id": "tracking" }]' }]);
  const planner = scriptedModel([{ text: '1. Track it. 2. If it is late, compensate.' }]);
  const worker = scriptedModel([
    { toolCalls: [{ toolName: 'track_parcel', input: { order: 'A-17' } }] },
    { toolCalls: [{ toolName: 'load_skill', input: { name: 'compensation' } }] },
    { toolCalls: [{ toolName: 'compensate', input: { order: 'A-17' } }] },
    { text: 'It is in Bergen, and 10 is on its way to you.' },
  ]);

  const graph = new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode('find_relevant_skills', async (state) => {
      const system = await skills.instructions(state, 'Name the skills that this request needs, as JSON: [{ "id": … }].');
      const answer = await finder.invoke([{ role: 'system', content: system }, ...state.messages]);
      return { selected: z.array(z.object({ id: z.string() })).parse(JSON.parse(answer.text)) };
    })
    .addNode(
      'load_skills',
      skills.loadSkillsNode((state: typeof State.State) => state.selected),
    )
    .addNode('make_plan', async (state) => ({
      plan: (await planner.invoke([{ role: 'system', content: 'Plan.' }, ...(await skills.messages(state))])).text,
    }))
    .addNode('execute', skills.modelNode(worker, { base: (state: typeof State.State) => `Carry out the plan.\n\n${state.plan}` }))
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'find_relevant_skills')
    .addEdge('find_relevant_skills', 'load_skills')
    .addEdge('load_skills', 'make_plan')
    .addEdge('make_plan', 'execute')
    .addConditionalEdges('execute', toolsCondition, ['tools', END])
    .addEdge('tools', 'execute')
    .compile();

  const result = await graph.invoke({ messages: [new HumanMessage('Where is A-17? It is late!')] });
  for (const message of result.messages) tell(`${message.type}: ${message.text.split('\n', 1)[0] ?? ''}`);
  assert.deepEqual(done, ['track_parcel A-17', 'compensate A-17']);
  assert.deepEqual(result.loaded_tools, { tracking: ['track_parcel'], compensation: ['compensate'] });
  // The planner got the instructions that the node loaded. With `gate: 'hide'`, the worker saw each
  // tool from the call after its skill was loaded.
  assert.ok(planner.calls[0]?.messages.some(({ text }) => text.includes('# Tracking')));
  assert.deepEqual(
    worker.calls.map(({ toolNames }) => toolNames.slice(3)),
    [['track_parcel'], ['track_parcel'], ['track_parcel', 'compensate'], ['track_parcel', 'compensate']],
  );
}
