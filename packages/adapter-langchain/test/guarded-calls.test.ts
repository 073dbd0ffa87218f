import { HumanMessage, type AIMessage } from '@langchain/core/messages';
import { END, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
import { langGraphSkills, skillScopedTools, skillsState, skillsStateOf } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset, defineSkill } from '@repertoire/skills-core';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { hostTools, skills } from './billing-skills.ts';
import { collect } from './collect.ts';
import { toolTexts, turn, unansweredCalls } from './scripts.ts';

const skillset = createSkillset({ skills });
const user = { messages: [{ role: 'user' as const, content: 'Go' }] };
const State = new StateSchema({ messages: MessagesValue, ...skillsState });

describe('whoever handed a tool over', () => {
  it('GOV-11: a gated tool of createAgent’s own list refuses, and one that the host declared too (ATK-82)', async () => {
    const declared = createSkillset({ skills, gates: { tools: ['search_*'] } });
    const { ran, process_refund, search_docs, lookup_order } = hostTools();
    const model = scriptedModel([
      turn(['process_refund', { amount: 1 }], ['search_docs', { query: 'a' }]),
      turn(['load_skill', { name: 'billing' }]),
      turn(['process_refund', { amount: 2 }], ['search_docs', { query: 'b' }]),
      turn('Done.'),
    ]);
    const agent = createAgent({ model, tools: [process_refund, search_docs, lookup_order], middleware: [skillsMiddleware(declared)] });
    const { messages } = await agent.invoke(user);
    expect(ran).toEqual(['refund 2']);
    expect(toolTexts(messages).filter((text) => text.startsWith('failed: Error (not-loaded)'))).toHaveLength(3);
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('ADP-1: an error of a tool reads as in an agent without skills, and that of wrong arguments without its stack', async () => {
    const { lookup_order, process_refund } = hostTools();
    const script = () =>
      scriptedModel([turn(['process_refund', { amount: -1 }], ['lookup_order', { id: 5 }], ['nothing', {}]), turn('Done.')]);
    const tools = [process_refund, lookup_order];
    const open = createSkillset({ skills: [defineSkill({ name: 'haiku', description: 'x', body: 'x' })] });
    const without = toolTexts((await createAgent({ model: script(), tools }).invoke(user)).messages);
    const withSkills = toolTexts(
      (await createAgent({ model: script(), tools, middleware: [skillsMiddleware(open)] }).invoke(user)).messages,
    );
    expect(withSkills[0]).toBe('failed: Error: There is no negative refund.\n Please fix your mistakes.');
    expect(withSkills[0]).toBe(without[0]);
    // The agent's own answer has a stack in it.
    const withoutStack = (text = '') => text.replaceAll(/\n +at (?!id\b).*/g, '');
    expect(withSkills[1]).toBe(withoutStack(without[1]));
    expect(withSkills[1]).toContain('expected string, received number');
    expect(withSkills[1]).not.toMatch(/\.(?:js|ts):\d/);
    expect(withSkills[2]).toContain('nothing is not a valid tool');
  });

  it('GOV-11: a tool node built by hand of the skills’ tools refuses, and so does toolNode with tools of one’s own', async () => {
    for (const own of [true, false]) {
      const { ran, process_refund, search_docs } = hostTools();
      const parts = langGraphSkills(skillset, own ? {} : { tools: [process_refund] });
      const model = scriptedModel([
        turn(['process_refund', { amount: 1 }], ['search_docs', { query: 'a' }]),
        turn(['load_skill', { name: 'billing' }]),
        turn(['process_refund', { amount: 2 }]),
        turn('Done.'),
      ]);
      const graph = new StateGraph(State)
        .addNode('model', parts.modelNode(model, { tools: own ? [process_refund, search_docs] : [search_docs] }))
        .addNode('tools', (own ? parts.toolNode([process_refund, search_docs]) : new ToolNode([...parts.tools, search_docs])) as ToolNode)
        .addEdge(START, 'model')
        .addConditionalEdges('model', toolsCondition, ['tools', END])
        .addEdge('tools', 'model')
        .compile();
      const { messages } = await graph.invoke({ messages: [new HumanMessage('Go')] });
      expect(ran).toEqual(['search a', 'refund 2']);
      expect(toolTexts(messages)[0]).toMatch(/^failed: Error \(not-loaded\)/);
    }
  });

  it('GOV-11: a call that was sent to the tool node by itself is judged by the state that was sent with it (ATK-83)', async () => {
    const { ran, process_refund, search_docs } = hostTools();
    const toolSources = [skillScopedTools('billing', [search_docs])];
    const parts = langGraphSkills(skillset, { tools: [process_refund], toolSources });
    const { loaded_skills = {}, loaded_tools = {} } = await parts.loadSkillsNode(() => ['billing'])({ messages: [] });
    const call = (name: string, args: object) => ({ lg_tool_call: { type: 'tool_call', id: 'one', name, args } });
    const run = async (state: object) => (await parts.toolNode()(state as never, {})) as { messages: AIMessage[] };
    expect(toolTexts((await run(call('process_refund', { amount: 1 }))).messages)[0]).toMatch(/^failed: Error \(not-loaded\)/);
    const sent = { messages: [], loaded_skills, loaded_tools };
    expect(toolTexts((await run({ ...sent, ...call('process_refund', { amount: 2 }) })).messages)).toEqual(['refunded 2']);
    expect(toolTexts((await run({ ...sent, ...call('search_docs', { query: 'a' }) })).messages)).toEqual(['found a']);
    expect(ran).toEqual(['refund 2', 'search a']);
  });

  it.each(['agent', 'graph'])(
    'GOV-11: (%s) an outage of the source during a call leaves gated tools closed and the others open (ATK-75)',
    async (kind) => {
      const source = fixedSkillProvider(skills);
      let down = false;
      const failing = createSkillset({
        gates: { tools: ['process_refund'] },
        provider: {
          ...source,
          listSkills: (options) => (down ? Promise.reject(new Error('EACCES /srv/secret/skills')) : source.listSkills(options)),
        },
      });
      const { ran, process_refund, search_docs } = hostTools();
      const model = scriptedModel((_call, index) => {
        down = index === 1;
        return [
          turn(['load_skill', { name: 'billing' }]),
          turn(['process_refund', { amount: 1 }], ['search_docs', { query: 'a' }], ['load_skill', { name: 'haiku' }]),
        ][index]!;
      });
      const thread = { configurable: { thread_id: 'one' } };
      const checkpointer = new MemorySaver();
      const options = { tools: [process_refund] };
      const graph =
        kind === 'agent'
          ? createAgent({ model, tools: [search_docs], checkpointer, middleware: [skillsMiddleware(failing, options)] }).graph
          : langGraphSkills(failing, options)
              .addTo(new StateGraph(State), { model, tools: [search_docs] })
              .compile({ checkpointer });
      // The next model call cannot read the skills either; what the tools answered is in the thread.
      await expect(graph.invoke({ messages: [new HumanMessage('Go')] }, thread)).rejects.toThrow('EACCES');
      const { messages } = (await graph.getState(thread)).values as { messages: AIMessage[] };
      const [, refund, search, load] = toolTexts(messages);
      expect(ran).toEqual(['search a']);
      expect(refund).toMatch(
        /^failed: Error \(source-unavailable\): The tool process_refund is locked, because the skills cannot be read now/,
      );
      expect(search).toBe('found a');
      expect(load).toMatch(/^failed: Error \(source-unavailable\): The source of the skill failed\./);
      expect(JSON.stringify(messages)).not.toContain('/srv/secret');
    },
  );
});

describe('two skillsets in one graph', () => {
  const policy = (body: string, tools?: string[]) =>
    defineSkill({ name: 'policy', description: `${body}.`, body, ...(tools && { tools }) });
  const first = createSkillset({ skills: [policy('Harmless')] });
  const second = createSkillset({
    skills: [policy('Strict', ['process_refund'])],
    surface: { names: { load: 'load_rule', readFile: 'read_rule', unload: 'end_rule' } },
  });

  it('GOV-11: with a namespace, a skill of the same name in the other one opens nothing, in a graph of agents (ATK-12)', async () => {
    const { ran, process_refund } = hostTools();
    const a = createAgent({
      model: scriptedModel([turn(['load_skill', { name: 'policy' }]), turn('A.')]),
      middleware: [skillsMiddleware(first)],
    });
    const modelB = scriptedModel([
      turn(['process_refund', { amount: 1 }]),
      turn(['load_rule', { name: 'policy' }]),
      turn(['process_refund', { amount: 2 }]),
      turn('B.'),
    ]);
    const b = createAgent({ model: modelB, middleware: [skillsMiddleware(second, { namespace: 'b', tools: [process_refund] })] });
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState, ...skillsStateOf('b') }))
      .addNode('A', a.graph)
      .addNode('B', b.graph)
      .addEdge(START, 'A')
      .addEdge('A', 'B')
      .addEdge('B', END)
      .compile();
    const result = await graph.invoke({ messages: [new HumanMessage('Go')] });
    expect(ran).toEqual(['refund 2']);
    expect(loadedSkills(result).map(({ revision }) => revision)).not.toEqual(loadedSkills(result, 'b').map(({ revision }) => revision));
    expect([loadedSkills(result), loadedSkills(result, 'b')]).toEqual([
      [expect.objectContaining({ name: 'policy' })],
      [expect.objectContaining({ name: 'policy' })],
    ]);
    expect(JSON.stringify(modelB.calls[0]?.messages[0])).not.toContain('Harmless.');
  });

  it('GOV-11: and as two middlewares of one agent', async () => {
    const { ran, process_refund } = hostTools();
    const model = scriptedModel([
      turn(['load_skill', { name: 'policy' }]),
      turn(['process_refund', { amount: 1 }]),
      turn(['load_rule', { name: 'policy' }]),
      turn(['process_refund', { amount: 2 }]),
      turn('Done.'),
    ]);
    const result = await createAgent({
      model,
      middleware: [skillsMiddleware(first), skillsMiddleware(second, { namespace: 'b', tools: [process_refund] })],
    }).invoke(user);
    expect(ran).toEqual(['refund 2']);
    expect(loadedSkills(result)).toHaveLength(1);
    expect(loadedSkills(result, 'b')).toHaveLength(1);
    expect(model.calls[0]?.toolNames).toEqual(['load_skill', 'read_skill_file', 'load_rule', 'read_rule', 'end_rule', 'process_refund']);
  });

  it('GOV-11: without one, the revision still tells a skill of the other set from one’s own', async () => {
    const { ran, process_refund } = hostTools();
    const a = createAgent({
      model: scriptedModel([turn(['load_skill', { name: 'policy' }]), turn('A.')]),
      middleware: [skillsMiddleware(first)],
    });
    const b = createAgent({
      model: scriptedModel([{ toolCalls: [{ toolCallId: 'b', toolName: 'process_refund', input: { amount: 1 } }] }, turn('B.')]),
      middleware: [skillsMiddleware(second, { tools: [process_refund] })],
    });
    const graph = new StateGraph(State).addNode('A', a.graph).addNode('B', b.graph).addEdge(START, 'A').addEdge('A', 'B').compile();
    await graph.invoke({ messages: [new HumanMessage('Go')] });
    expect(ran).toEqual([]);
  });
});

describe('what a checkpoint holds', () => {
  const library = Array.from({ length: 1_000 }, (_, index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `Does thing ${index}. ${'More words about it. '.repeat(10)}`,
      body: `Body ${index}.`,
    }),
  );
  const thread = { configurable: { thread_id: 'one' } };

  /** Counts the bytes of what is stored. */
  class CountingSaver extends MemorySaver {
    bytes = 0;

    constructor() {
      super();
      const serde = this.serde;
      const dumpsTyped = serde.dumpsTyped.bind(serde);
      this.serde = {
        ...serde,
        loadsTyped: serde.loadsTyped.bind(serde),
        dumpsTyped: async (value: unknown) => {
          const [type, bytes] = await dumpsTyped(value);
          this.bytes += bytes.length;
          return [type, bytes];
        },
      };
    }
  }

  it.each(['agent', 'graph'])('ADP-1: (%s) with 1,000 skills and ten parallel calls, a turn adds at most 70 KB', async (kind) => {
    const ten = Array.from({ length: 10 }, (_, index) => ['load_skill', { name: `skill-${index}` }] as const);
    const checkpointer = new CountingSaver();
    const model = scriptedModel([turn(...ten), turn('Done.')]);
    const source = createSkillset({ skills: library });
    const graph =
      kind === 'agent'
        ? createAgent({ model, checkpointer, middleware: [skillsMiddleware(source)] }).graph
        : langGraphSkills(source).addTo(new StateGraph(State), { model }).compile({ checkpointer });
    const input = { messages: [new HumanMessage('Go')] } as never;
    const stream = await graph.stream(input, { ...thread, streamMode: 'values' as const });
    const values = await collect(stream as AsyncIterable<unknown>);
    const last = values.at(-1) as { loaded_skills: object };
    expect(Object.keys(last.loaded_skills)).toHaveLength(10);
    expect(checkpointer.bytes).toBeGreaterThan(1_000);
    expect(checkpointer.bytes).toBeLessThanOrEqual(70_000);
    // Nothing of the catalog stands in what is streamed, only what was loaded.
    expect(JSON.stringify(values)).not.toContain('More words about it.');
    expect(JSON.stringify(values)).not.toContain('skill-500');
  });
});
