import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import {
  Annotation,
  END,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  MessagesZodMeta,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { withLangGraph } from '@langchain/langgraph/zod';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { langGraphSkills, loadedSkills, skillsAnnotation, skillsState, skillsZodState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostTools, skills as definitions } from './billing-skills.ts';
import { systemText, toolTexts, turn, unansweredCalls } from './scripts.ts';

const skillset = createSkillset({ skills: definitions });
const State = new StateSchema({ messages: MessagesValue, ...skillsState });
const input = () => ({ messages: [new HumanMessage('Go')] });
const script = () =>
  scriptedModel([
    turn(['load_skill', { name: 'billing' }]),
    turn(['process_refund', { amount: 2 }], ['search_docs', { query: 'a' }]),
    turn('Done.'),
  ]);

describe('a graph with skills in a few lines', () => {
  it('ADP-2: addTo adds the whole agent: the catalog, the tools, and what is loaded', async () => {
    const { ran, process_refund, search_docs } = hostTools();
    const model = script();
    const graph = langGraphSkills(skillset, { tools: [process_refund] })
      .addTo(new StateGraph(State), { model, base: 'You are kind.', tools: [search_docs] })
      .compile();
    const result = await graph.invoke(input());
    expect(ran.toSorted()).toEqual(['refund 2', 'search a']);
    expect(result.messages.at(-1)?.text).toBe('Done.');
    expect(unansweredCalls(result.messages)).toEqual([]);
    expect(loadedSkills(result).map(({ name, version }) => [name, version])).toEqual([['billing', null]]);
    expect(result['_skill_session']).toEqual((await skillset.open()).kept);
    expect(new Set(model.calls.map(systemText))).toEqual(new Set([(await skillset.open()).instructions('You are kind.')]));
  });

  it('ADP-2: so do five lines of one’s own, with modelNode', async () => {
    const { ran, process_refund, search_docs } = hostTools();
    const skills = langGraphSkills(skillset, { tools: [process_refund] });
    const graph = new StateGraph(State)
      .addNode('agent', skills.modelNode(script(), { base: ({ messages }) => `Messages: ${messages.length}.`, tools: [search_docs] }))
      .addNode('tools', skills.toolNode([search_docs]))
      .addEdge(START, 'agent')
      .addConditionalEdges('agent', toolsCondition, ['tools', END])
      .addEdge('tools', 'agent')
      .compile();
    const { messages } = await graph.invoke(input());
    expect(ran.toSorted()).toEqual(['refund 2', 'search a']);
    expect(toolTexts(messages)).toHaveLength(3);
  });

  it('ADP-2: a zod schema of the state works, and so does an annotation', async () => {
    const Zod = z.object({
      messages: withLangGraph(z.custom<BaseMessage[]>(), MessagesZodMeta),
      asked: z.string().default('nothing'),
      ...skillsZodState,
    });
    const Old = Annotation.Root({ ...MessagesAnnotation.spec, ...skillsAnnotation });
    for (const make of [
      () => langGraphSkills(skillset, { tools: hostTools().tools }).addTo(new StateGraph(Zod), { model: parallel() }).compile(),
      () => langGraphSkills(skillset, { tools: hostTools().tools }).addTo(new StateGraph(Old), { model: parallel() }).compile(),
    ]) {
      const result = await make().invoke(input());
      expect(loadedSkills(result).map(({ name }) => name)).toEqual(['billing', 'orders', 'haiku']);
      expect(result.loaded_tools).toEqual({ billing: ['process_refund'], haiku: [], orders: ['lookup_order'] });
      expect(result['_skill_session']).toEqual((await skillset.open()).kept);
    }
  });
  const parallel = () =>
    scriptedModel([
      turn(['load_skill', { name: 'billing' }], ['load_skill', { name: 'orders' }]),
      turn(['load_skill', { name: 'haiku' }]),
      turn('Done.'),
    ]);

  it('ADP-2 DIS-16: nodes of one’s own stand before and after; skills are chosen by the state, and by a person', async () => {
    const Selecting = new StateSchema({ ...State.fields, selected: z.array(z.string()).default([]), log: z.string().default('') });
    const model = scriptedModel([turn('Done.')]);
    const graph = langGraphSkills(skillset)
      .addTo(
        new StateGraph(Selecting)
          .addNode('triage', () => ({ selected: ['orders'] }))
          .addNode('review', ({ messages }) => ({ log: `${messages.length} messages` }))
          .addEdge(START, 'triage')
          .addEdge('review', END),
        { model, select: ({ selected }) => selected, commands: true, from: 'triage', to: 'review' },
      )
      .compile();
    const result = await graph.invoke({ messages: [new HumanMessage('/haiku about rain')] });
    expect(loadedSkills(result).map(({ name, arguments: given }) => [name, given])).toEqual([
      ['haiku', 'about rain'],
      ['orders', undefined],
    ]);
    expect(result.log).toBe('6 messages');
    expect(model.calls[0]?.messages.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool', 'ai', 'tool']);
  });

  it('ADP-2: the types keep the names of the nodes', () => {
    const graph = langGraphSkills(skillset).addTo(new StateGraph(State), { model: scriptedModel([]) });
    graph.addNode('after', () => ({})).addEdge('tools', 'after');
    // @ts-expect-error -- there is no such node
    expect(() => graph.addEdge('nowhere', 'after')).not.toThrow();
    const withoutMessages = new StateGraph(new StateSchema({ ...skillsState }));
    const model = scriptedModel([]);
    // @ts-expect-error -- a state without messages
    expect(() => langGraphSkills(skillset).addTo(withoutMessages, { model })).not.toThrow();
  });

  it('ADP-2: a node binds all tools, only those of loaded skills, or only those that load and end skills', async () => {
    const { tools, search_docs } = hostTools();
    const skills = langGraphSkills(skillset, { tools: [...tools, hostTools().search_docs] });
    const node = skills.loadSkillsNode(() => ['orders']);
    const start = { messages: [new HumanMessage('Go')], loaded_skills: {}, loaded_tools: {}, _skill_session: null };
    const { loaded_skills = {}, loaded_tools = {}, messages = [] } = await node(start);
    const state = { ...start, loaded_skills, loaded_tools, messages: [...start.messages, ...messages] };
    const bound = async (bind: 'all' | 'loaded' | 'load-and-unload', own: boolean) => {
      const model = scriptedModel([turn('Done.')]);
      await (
        await skills.bindLoadedTools(model, state, { bind, ...(own && { tools: [{ ...search_docs, name: 'own' } as never] }) })
      ).invoke('Hi');
      return model.calls[0]?.toolNames;
    };
    const loading = ['load_skill', 'unload_skill'];
    expect(await bound('all', false)).toEqual([
      'load_skill',
      'read_skill_file',
      'unload_skill',
      'process_refund',
      'lookup_order',
      'search_docs',
    ]);
    expect(await bound('loaded', false)).toEqual(['lookup_order']);
    expect(await bound('load-and-unload', false)).toEqual(loading);
  });

  it('ADP-2: loadedSkills reads a result, a chunk of values and a state, and leaves out what is unloaded or nonsense', async () => {
    const graph = langGraphSkills(skillset)
      .addTo(new StateGraph(State), {
        model: scriptedModel([
          turn(['load_skill', { name: 'haiku' }]),
          turn(['load_skill', { name: 'billing' }]),
          turn(['unload_skill', { name: 'haiku' }]),
          turn('Done.'),
        ]),
      })
      .compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: 'one' } };
    const result = await graph.invoke(input(), thread);
    expect(result.loaded_skills).toMatchObject({ haiku: null });
    for (const value of [result, (await graph.getState(thread)).values])
      expect(loadedSkills(value).map(({ name }) => name)).toEqual(['billing']);
    for (const value of [undefined, null, 5, {}, { loaded_skills: 'x' }, { loaded_skills: { a: true } }])
      expect(loadedSkills(value)).toEqual([]);
  });
});
