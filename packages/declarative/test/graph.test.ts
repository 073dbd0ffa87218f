import { readFileSync } from 'node:fs';
import { agentGraph, compileAgent } from '@repertoire/declarative';
import { getInputTypeSchema, getOutputTypeSchema } from '@langchain/langgraph/zod/schema';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { expect, it } from 'vitest';
import { hostTools, registry } from './agents.ts';

const support = readFileSync(new URL('./agents/support.agent.yaml', import.meta.url), 'utf8');

it('DEC-1: the picture shows nodes, the tool nodes that nobody wrote, branches and their labels; it needs no host', async () => {
  expect(await agentGraph(support)).toMatchInlineSnapshot(`
    "%%{init: {'flowchart': {'curve': 'linear'}}}%%
    graph TD;
    	__start__([<p>__start__</p>]):::first
    	sort(sort<hr/><small><em>node = call_llm</em></small>)
    	load(load<hr/><small><em>node = load_skills</em></small>)
    	answer(answer<hr/><small><em>node = call_llm</em></small>)
    	run(run<hr/><small><em>node = tool_node</em></small>)
    	note(note<hr/><small><em>node = set_state</em></small>)
    	ask(ask<hr/><small><em>node = interrupt</em></small>)
    	pay(pay<hr/><small><em>node = workflow</em></small>)
    	__end__([<p>__end__</p>]):::last
    	__start__ --> sort;
    	ask --> pay;
    	load --> answer;
    	note --> __end__;
    	pay --> __end__;
    	run --> answer;
    	sort --> load;
    	answer -. &nbsp;calls tools&nbsp; .-> run;
    	answer -.-> ask;
    	answer -.-> __end__;
    	answer -.-> note;
    	classDef default fill:#f2f0ff,line-height:1.2;
    	classDef first fill-opacity:0;
    	classDef last fill:#bfb6fc;
    "
  `);
  const tools = await agentGraph(
    `llms: [{ id: m }]\nnodes: [{ name: a, type: call_llm, args: { prompt: '"x"', tools: [{ id: load_skill_md }] } }]`,
  );
  expect(tools).toContain('a -. &nbsp;tool calls&nbsp; .-> a_tools;');
  expect(tools).toContain('a_tools --> a;');
});

it('DEC-1: it is the picture of the compiled graph', async () => {
  const graph = await compileAgent(support, {
    models: () => scriptedModel([]),
    tools: hostTools('search_docs').tools,
    skills: registry(),
    sources: { folder: () => registry(), url: () => null },
    basePath: '/srv',
    runWorkflow: async () => null,
  }).catch((error: unknown) => String(error));
  // The host refuses the URL of the file, so there is none.
  expect(graph).toContain('The host does not allow https://skills.example.com/.');
  const without = support.replace('  - id: customs\n    url: https://skills.example.com/\n', '');
  const compiled = await compileAgent(without, {
    models: () => scriptedModel([]),
    tools: hostTools('search_docs').tools,
    skills: registry(),
    sources: { folder: () => registry() },
    basePath: '/srv',
    runWorkflow: async () => null,
  });
  expect((await compiled.getGraphAsync()).drawMermaid()).toBe(await agentGraph(support));
});

it('DEC-1: a file with errors has no picture', async () => {
  await expect(agentGraph('nodes: []')).rejects.toMatchObject({ code: 'invalid-agent' });
});

it('DEC-1: Studio knows the types of the state while it runs: a form for the input', async () => {
  const graph = await compileAgent(
    `state: { tries: { type: int, reducer: sum } }\nnodes: [{ name: a, type: set_state, args: { state_updates: { tries: '1' } } }]`,
  );
  for (const schema of [getInputTypeSchema(graph), getOutputTypeSchema(graph)]) {
    expect(schema).toMatchObject({ type: 'object', properties: { tries: { type: 'integer' }, messages: { langgraph_type: 'messages' } } });
  }
});
