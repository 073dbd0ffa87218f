import type { AIMessage } from '@langchain/core/messages';
import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { compileAgent, runAgent } from '@repertoire/declarative';
import type { AgentState } from '../src/graph/build-graph.ts';
import { SkillError, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { call, definitions, discover, hostTools, registry, single, textsOf, user } from './agents.ts';

const failure = async (run: Promise<unknown>): Promise<SkillError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (cause: unknown) => cause,
  );
  if (!SkillError.isInstance(error)) throw error;
  return error;
};

describe('discover, load, execute', () => {
  const script = [call('load_skill_md', { name: 'billing' }), { text: 'I know how.' }, call('refund', { of: 'A-17' }), { text: 'Done.' }];

  it('DEC-1: the catalog stands in the prompt, the same bytes each time; tools come with their skill; what is loaded is the state of the adapter', async () => {
    const model = scriptedModel(script);
    const { done, tools } = hostTools('refund', 'lookup', 'delete_all');
    const graph = await compileAgent(discover, { models: { 'my-llm': model }, tools, skills: registry() });
    const state = await graph.invoke(user('My money!'));
    expect(done).toEqual(['refund A-17']);
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([
      ['load_skill_md', 'unload_skill'],
      ['load_skill_md', 'unload_skill'],
      ['refund'],
      ['refund'],
    ]);
    const system = model.calls.map(({ messages }) => messages[0]?.text);
    const catalog = JSON.stringify({
      billing: { id: 'billing', version: '1.2.0', name: 'billing', description: 'Refunds. Use for money.' },
      orders: { id: 'orders', version: null, name: 'orders', description: 'Finds orders. Use for parcels.' },
    });
    const expected = `Here are the available skills: ${catalog} Call load_skill_md for the most relevant skill.\n`;
    expect(system).toEqual([expected, expected, 'Go.', 'Go.']);
    expect(Object.keys(state.loaded_skills)).toEqual(['billing']);
    expect(state.loaded_tools).toEqual({ billing: ['refund'] });
    // Each call has its result, and the node after the loading saw the instructions.
    expect(model.calls[2]?.messages.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool', 'ai']);
    expect(model.calls[2]?.messages[3]?.text).toContain('# Billing');
  });

  it('DEC-1: unloading closes the tools again', async () => {
    const model = scriptedModel([
      call('load_skill_md', { name: 'billing' }),
      call('unload_skill', { name: 'billing' }),
      { text: 'No.' },
      call('refund'),
      { text: 'I cannot.' },
    ]);
    const { done, tools } = hostTools('refund');
    const graph = await compileAgent(discover, { models: { 'my-llm': model }, tools, skills: registry() });
    const state = await graph.invoke(user('My money!'));
    expect(done).toEqual([]);
    expect(model.calls.map(({ toolNames }) => toolNames).slice(3)).toEqual([[], []]);
    expect(textsOf(state.messages).at(-2)).toMatch(/^tool: Error \(not-loaded\)/);
  });

  it('DEC-1: a tool that no trusted skill names cannot be called, whatever the model asks for', async () => {
    const model = scriptedModel([call('load_skill_md', { name: 'billing' }), { text: 'ok' }, call('delete_all'), { text: 'No.' }]);
    const { done, tools } = hostTools('refund', 'delete_all');
    const graph = await compileAgent(discover, { models: { 'my-llm': model }, tools, skills: registry() });
    await graph.invoke(user('Delete everything'));
    expect(done).toEqual([]);
  });

  it('DEC-1: an untrusted skill opens nothing', async () => {
    const { done, tools } = hostTools('refund');
    const model = scriptedModel([call('load_skill_md', { name: 'billing' }), { text: 'ok' }, call('refund'), { text: 'No.' }]);
    const untrusted = new SkillRegistry({ skills: [definitions.billing, definitions.orders], trusted: false });
    const graph = await compileAgent(discover, { models: { 'my-llm': model }, tools, skills: untrusted });
    await graph.invoke(user('Go'));
    expect(done).toEqual([]);
    expect(model.calls.at(-1)?.toolNames).toEqual([]);
  });
});

describe('find, load, plan', () => {
  const text = `
skills: [{ id: billing }, { id: orders }]
llms: [{ id: main }]
prompts: [{ id: find-relevant-skills, instructions: Find. }, { id: plan, instructions: Plan. }]
nodes:
  - name: find_relevant_skills
    type: call_llm
    args:
      prompt:
        - role: system
          content: 'prompts["find-relevant-skills"]["instructions"]'
        - role: messages
          content: 'state.messages'
      response_format:
        name: SelectedSkills
        description: Skills relevant to the request
        schema:
          type: object
          properties:
            skills:
              type: array
              items:
                type: object
                properties:
                  id: { type: string }
                  version: { type: string }
                required: [id]
          required: [skills]
      state_updates:
        messages: '[llm_response]'
  - name: load_selected_skills
    type: load_skills
    args:
      skill_ids: 'json(state.messages[size(state.messages) - 1].content)["skills"]'
  - name: plan
    type: call_llm
    args:
      prompt:
        - role: system
          content: 'prompts["plan"]["instructions"]'
        - role: messages
          content: 'state.messages'
      use_tools_from_loaded_skills: true
      state_updates:
        messages: '[llm_response]'
`;
  const run = (selected: unknown, ...more: Parameters<typeof scriptedModel>[0] & readonly object[]) => {
    const model = scriptedModel([call('SelectedSkills', selected), ...more]);
    return {
      model,
      ran: runAgent(text, {
        models: { main: model },
        tools: hostTools('refund', 'lookup').tools,
        skills: registry(),
        input: 'Where is it?',
      }),
    };
  };

  it('DEC-1: the node loads what the answer names, as call and result, and the tools of it are bound', async () => {
    const { model, ran } = run({ skills: [{ id: 'billing', version: '1.2.0' }, { id: 'orders' }] }, { text: 'A plan.' });
    const { messages, text: last, state } = await ran;
    expect(last).toBe('A plan.');
    expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'ai', 'tool', 'ai', 'tool', 'ai']);
    expect(messages[1]?.content).toBe('{"skills":[{"id":"billing","version":"1.2.0"},{"id":"orders"}]}');
    expect((messages[1] as AIMessage).tool_calls).toEqual([]);
    expect(model.calls[1]?.toolNames).toEqual(['refund', 'lookup']);
    expect(state.loaded_tools).toEqual({ billing: ['refund'], orders: ['lookup'] });
  });

  it('DEC-1: a skill that does not exist is an error that the model reads; an answer of another form is one that the host gets', async () => {
    const { ran } = run({ skills: [{ id: 'nope' }] }, { text: 'No plan.' });
    expect(textsOf((await ran).messages)[3]).toMatch(/^tool: Error \(skill-not-found\)/);
    const wrong = await failure(run({ skills: [{ name: 7 }] }).ran);
    expect([wrong.code, wrong.message]).toEqual([
      'agent-failed',
      expect.stringContaining('"find_relevant_skills" has not the form "SelectedSkills"'),
    ]);
  });

  it('DEC-1: an answer as text is taken where it is JSON of the form', async () => {
    const model = scriptedModel([{ text: '{"skills":[]}' }, { text: 'Nothing to load.' }]);
    const { messages } = await runAgent(text, { models: { main: model }, skills: registry(), input: 'Hm' });
    expect(textsOf(messages)).toEqual(['human: Hm', 'ai: {"skills":[]}', 'ai: Nothing to load.']);
    const prose = scriptedModel([{ text: 'I would take billing.' }]);
    const error = await failure(runAgent(text, { models: { main: prose }, skills: registry(), input: 'Hm' }));
    expect(error.code).toBe('agent-failed');
  });
});

describe('expressions while the agent runs', () => {
  it('DEC-1: one that fails names the place in the file, the node and itself', async () => {
    const text = single(`\n      prompt: '"x"'\n      state_updates: { messages: 'json(llm_response.content).list' }`);
    const error = await failure(runAgent(text, { models: { main: scriptedModel([{ text: 'prose' }]) }, input: 'Hi', fileName: 'a.yaml' }));
    expect(error.code).toBe('agent-failed');
    expect(error.message).toMatch(/^a\.yaml:9:35 The expression of node "answer" failed: This is not JSON: "prose"/);
  });

  it('DEC-1: a value of another type than the place needs is an error, not a guess', async () => {
    const text = `
state: { n: { type: int }, flag: { type: any, default: maybe } }
nodes:
  - { name: a, type: set_state, args: { state_updates: { n: state.flag } } }
`;
    const error = await failure(runAgent(text, { input: {} }));
    expect(error.message).toContain('agent.yaml:4:61 The expression of node "a" failed: It gives "maybe", and int is needed.');
  });

  it('DEC-1: an expression that costs too much ends, and so does the run', async () => {
    const nested = 'state.items.all(a, state.items.all(b, state.items.all(c, a + b > c - 1000)))';
    const text = `
state: { items: { type: list }, done: { type: bool } }
nodes:
  - { name: a, type: set_state, args: { state_updates: { done: '${nested}' } } }
`;
    const items = Array.from({ length: 300 }, (_, index) => index);
    const error = await failure(runAgent(text, { input: { items } }));
    expect(error.message).toContain('costs too much');
    // Smaller ones run, and the host can set the limit.
    const small = await runAgent(text, { input: { items: [1, 2, 10] } });
    expect(small.state['done']).toBe(true);
    const limited = await failure(runAgent(text, { input: { items: [1, 2, 10] }, limits: { maxSteps: 3 } }));
    expect(limited.message).toContain('costs too much');
  });
});

describe('state, edges and nodes', () => {
  const text = `
state:
  n: { type: int, reducer: sum }
  log: { type: list, reducer: append, default: [start] }
  facts: { type: map, reducer: merge, default: { a: 1 } }
  score: { type: double, default: 1 }
nodes:
  - name: count
    type: set_state
    args:
      state_updates:
        n: '1'
        log: '["count " + string(state.n + 1)]'
        facts: '{"b": state.n}'
        score: state.score * 2.0
  - { name: last, type: set_state, args: { state_updates: { log: '["last"]' } } }
edges:
  - { source: START, target: count }
  - source: count
    branches: [{ condition: 'state.n < 3', target: count, label: again }]
    default: last
  - { source: last, target: END }
`;

  it('DEC-1: reducers join, branches lead, defaults are there, numbers keep their kind', async () => {
    const { state } = await runAgent(text, { input: {} });
    expect(state).toMatchObject({ n: 3, log: ['start', 'count 1', 'count 2', 'count 3', 'last'], facts: { a: 1, b: 2 }, score: 8 });
    // A default belongs to no conversation.
    const again = await runAgent(text, { input: { n: 5 } });
    expect(again.state).toMatchObject({ n: 6, log: ['start', 'count 6', 'last'] });
  });

  it('DEC-1: an edge without a default ends; without edges nodes run in order', async () => {
    const ends = text
      .replace('    default: last\n', '')
      .replace('  - { source: last, target: END }\n', '')
      .replace(/ {2}- \{ name: last.*\n/, '');
    expect((await runAgent(ends, { input: {} })).state['log']).toEqual(['start', 'count 1', 'count 2', 'count 3']);
    const ordered = text.slice(0, text.indexOf('edges:'));
    expect((await runAgent(ordered, { input: {} })).state['log']).toEqual(['start', 'count 1', 'last']);
  });

  it('DEC-1: a run that writes nothing has an empty state', async () => {
    const run = await runAgent('nodes: [{ name: a, type: set_state, args: { state_updates: {} } }]', { input: {} });
    expect(run).toMatchObject({ text: '', messages: [], state: { messages: [], loaded_skills: {} } });
  });

  it('DEC-1: several edges of one node run side by side', async () => {
    const node = (name: string) => `  - { name: ${name}, type: set_state, args: { state_updates: { log: '["${name}"]' } } }\n`;
    const wide = `state: { log: { type: list, reducer: append } }\nnodes:\n${['a', 'b', 'c'].map(node).join('')}edges:\n  - { source: START, target: a }\n  - { source: a, target: b }\n  - { source: a, target: c }\n  - { source: b, target: END }\n  - { source: c, target: END }\n`;
    expect((await runAgent(wide, { input: {} })).state['log']).toEqual(['a', 'b', 'c']);
  });

  it('DEC-1: several edges of a model with tools run side by side, too, once it calls none', async () => {
    const { done, tools } = hostTools('refund');
    const node = (name: string) => `  - { name: ${name}, type: set_state, args: { state_updates: { log: '["${name}"]' } } }\n`;
    const model = single(
      '{ llm: { id: main }, prompt: "\'Help.\'", tools: [{ id: refund }] }',
      'tools: [{ id: refund }]\nstate: { log: { type: list, reducer: append } }',
    );
    const edges = ['{ source: START, target: answer }', '{ source: answer, target: b }', '{ source: answer, target: c }'];
    const wide = `${model.trimEnd()}\n${node('b')}${node('c')}edges: [${edges.join(', ')}, { source: b, target: END }, { source: c, target: END }]\n`;
    const models = { main: scriptedModel([call('refund', { of: 'A-17' }), { text: 'Done.' }]) };
    expect((await runAgent(wide, { models, tools, input: user('Go') })).state['log']).toEqual(['b', 'c']);
    expect(done).toEqual(['refund A-17']);
  });

  it('DEC-1: interrupts stop and resume; a workflow runs what the host gives; the catalog is known where only expressions need it', async () => {
    const asks = `
skills: [{ id: billing }]
state: { log: { type: list, reducer: append } }
nodes:
  - name: ask
    type: interrupt
    args:
      value: '{"question": "Which of " + string(skills.map(id, skills[id].version)) + "?"}'
      state_updates: { log: '[answer.pick, answer.count + 1]' }
  - name: flow
    type: workflow
    args:
      skill: { id: billing, version: "1.2.0" }
      input: '{"pick": state.log[0]}'
      state_updates: { log: '[workflow_result]' }
`;
    const ran: unknown[] = [];
    const graph = await compileAgent(asks, {
      skills: registry(),
      graph: { checkpointer: new MemorySaver() },
      runWorkflow: async (request) => {
        ran.push(request);
        return { paid: 3 };
      },
    });
    const config = { configurable: { thread_id: 'one' } };
    const stopped: unknown = await graph.invoke({}, config);
    expect(isInterrupted(stopped) ? stopped['__interrupt__'][0]?.value : null).toEqual({ question: 'Which of ["1.2.0"]?' });
    const state = (await graph.invoke(new Command({ resume: { pick: 'a', count: 1 } }), config)) as AgentState;
    expect(state['log']).toEqual(['a', 2, { paid: 3 }]);
    expect(ran).toEqual([{ skill: 'billing', version: '1.2.0', input: { pick: 'a' } }]);
  });
});
