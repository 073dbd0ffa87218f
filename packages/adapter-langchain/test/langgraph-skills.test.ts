import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { Annotation, END, MemorySaver, MessagesAnnotation, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { createSkillset, defineSkill, skillAllowedTools } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/adapter';
import {
  langGraphSkills,
  loadSkillsNode,
  skillsAnnotation,
  skillsState,
  type LangGraphSkillsOptions,
  type SkillWanted,
} from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.ts';
import { hostTools, skills as definitions } from './billing-skills.ts';
import { systemText, toolTexts, turn, unansweredCalls } from './scripts.ts';
import { transcriptOfMessages } from '../src/messages/transcript-of-messages.ts';

const skillset = createSkillset({ skills: definitions });
const State = new StateSchema({
  messages: MessagesValue,
  selected: z.array(z.object({ id: z.string(), version: z.string().optional() })).default([]),
  ...skillsState,
});

function graphOf(
  model: ScriptedChatModel,
  options: LangGraphSkillsOptions & { readonly own?: readonly ReturnType<typeof hostTools>['search_docs'][] } = {},
) {
  const { own = [], ...rest } = options;
  const skills = langGraphSkills(skillset, rest);
  return new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode(
      'load_skills',
      skills.loadSkillsNode((state: typeof State.State) => state.selected),
    )
    .addNode('model', async (state) => {
      const bound = await skills.bindLoadedTools(model, state, { tools: own });
      return {
        messages: [
          await bound.invoke([
            { role: 'system', content: await skills.instructions(state, 'You are kind.') },
            ...(await skills.messages(state)),
          ]),
        ],
      };
    })
    .addNode('tools', skills.toolNode(own))
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'load_skills')
    .addEdge('load_skills', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer: new MemorySaver() });
}

const thread = { configurable: { thread_id: 'one' } };
const loadTexts = (messages: readonly BaseMessage[]) => messages.filter(({ name }) => name === 'load_skill').map(({ text }) => text);

describe('langGraphSkills', () => {
  it('ADP-2: both patterns in one graph: a node loads a skill first, the model loads another later, and each call binds what is loaded', async () => {
    const { ran, tools, search_docs } = hostTools();
    const model = scriptedModel([
      turn(['process_refund', { amount: 1 }], ['lookup_order', { id: 'A' }]),
      turn(['load_skill', { name: 'orders' }]),
      turn(['lookup_order', { id: 'B' }], ['search_docs', { query: 'c' }]),
      turn('Done.'),
      turn('Again.'),
    ]);
    const graph = graphOf(model, { tools, own: [search_docs], gate: 'hide' });
    const first = await graph.invoke({ messages: [new HumanMessage('Go')], selected: [{ id: 'billing' }] }, thread);

    const always = ['load_skill', 'read_skill_file', 'unload_skill', 'search_docs'];
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([
      [...always, 'process_refund'],
      [...always, 'process_refund'],
      [...always, 'process_refund', 'lookup_order'],
      [...always, 'process_refund', 'lookup_order'],
    ]);
    // Calls of one answer run at once.
    expect(ran.toSorted()).toEqual(['order B', 'refund 1', 'search c']);
    expect(unansweredCalls(first.messages)).toEqual([]);
    expect(Object.keys(first.loaded_skills)).toEqual(['billing', 'orders']);
    expect(first.loaded_tools).toEqual({ billing: ['process_refund'], orders: ['lookup_order'] });
    expect(toolTexts(first.messages)[2]).toMatch(/^failed: Error \(not-loaded\): The tool lookup_order is locked/);

    // The node runs again in the next turn, and finds its skill loaded.
    const second = await graph.invoke({ messages: [new HumanMessage('More')] }, thread);
    expect(loadTexts(second.messages)).toHaveLength(2);
    expect(new Set(model.calls.map(systemText))).toEqual(new Set([(await skillset.open()).instructions('You are kind.')]));
  });

  it('ADP-2: the pairs of the node stand each for itself, with ids that every provider accepts, the same in each run', async () => {
    const run = async () => {
      const graph = graphOf(scriptedModel([turn('Done.')]));
      return (
        await graph.invoke({ messages: [new HumanMessage('Go')], selected: [{ id: 'billing' }, { id: 'haiku' }, { id: 'nope' }] }, thread)
      ).messages;
    };
    const messages = await run();
    expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai', 'tool', 'ai']);
    const ids = messages.flatMap((message) =>
      'tool_calls' in message ? (message.tool_calls as { id: string }[]).map(({ id }) => id) : [],
    );
    expect(ids).toEqual([
      expect.stringMatching(/^[A-Za-z0-9]{9}$/),
      expect.stringMatching(/^[A-Za-z0-9]{9}$/),
      expect.stringMatching(/^[A-Za-z0-9]{9}$/),
    ]);
    expect(new Set(ids).size).toBe(3);
    expect(toolTexts(messages)[2]).toMatch(/^failed: Error \(skill-not-found\)/);
    const again = await run();
    expect(again.slice(1, -1).map(({ id }) => id)).toEqual(messages.slice(1, -1).map(({ id }) => id));
  });

  it('ADP-2: a node that runs twice on the same state loads nothing twice', async () => {
    const node = loadSkillsNode(skillset, () => ['billing', { name: 'billing' }]);
    const start = { messages: [new HumanMessage('Go')], loaded_skills: {}, loaded_tools: {}, _skill_session: null };
    const [first, replayed] = [await node(start), await node(start)];
    expect(first.messages).toHaveLength(2);
    expect(replayed.messages?.map(({ id }) => id)).toEqual(first.messages?.map(({ id }) => id));
    expect(replayed.loaded_skills).toEqual(first.loaded_skills);
    const after = {
      ...start,
      messages: [...start.messages, ...first.messages!],
      loaded_skills: first.loaded_skills!,
      _skill_session: null,
    };
    expect(await node(after)).toEqual({});
  });

  it('ADP-2, ADP-6: what nodes load and repeat keeps its order, and the messages tell the same', async () => {
    const repeating = createSkillset({ skills: definitions, conversation: { refresh: { afterTokens: 300 } } });
    const { loadSkillsNode: load, messages: shownOf } = langGraphSkills(repeating);
    const start = { messages: [new HumanMessage('Go')] as BaseMessage[], loaded_skills: {}, loaded_tools: {}, _skill_session: null };
    const loaded = await load(() => ['orders', 'billing'])(start);
    const messages = [...start.messages, ...(loaded.messages ?? []), new HumanMessage('x'.repeat(4_000))];
    const session = await repeating.open();
    const lengthOf = (text: string) => session.lengthOf(text);
    const state = session.state(transcriptOfMessages(messages, lengthOf));
    expect(loadedSkillNames(state)).toEqual(['orders', 'billing']);
    // Messages do not tell the place and the content.
    expect(loaded.loaded_skills).toMatchObject(state.loaded);
    const shown = await shownOf({ ...start, messages, loaded_skills: loaded.loaded_skills ?? {} });
    expect(shown.slice(0, messages.length)).toEqual(messages);
    expect(shown.slice(messages.length).map(({ type }) => type)).toEqual(['ai', 'tool', 'ai', 'tool']);
    expect(loadedSkillNames(session.state(transcriptOfMessages(shown, lengthOf)))).toEqual(['orders', 'billing']);
  });

  it('ADP-2: a version is loaded as asked, and the answer says which', async () => {
    const versions = createSkillset({
      skills: ['1.0.0', '2.0.0'].map((version) => defineSkill({ name: 'tax', version, description: 'Tax.', body: `Rules of ${version}.` })),
    });
    const node = loadSkillsNode(versions, () => [{ id: 'tax', version: '1.0.0' }]);
    const { loaded_skills, messages } = await node({ messages: [], loaded_skills: {}, loaded_tools: {}, _skill_session: null });
    expect(loaded_skills).toMatchObject({ tax: { version: '1.0.0' } });
    expect(messages?.at(-1)?.text).toContain('Rules of 1.0.0.');
  });

  it('ADP-2: the channels work as annotations too, and parallel nodes may both load', async () => {
    const Old = Annotation.Root({ ...MessagesAnnotation.spec, ...skillsAnnotation });
    const node = (name: string) => loadSkillsNode(skillset, (): SkillWanted[] => [{ name }]);
    const graph = new StateGraph(Old)
      .addNode('one', node('billing'))
      .addNode('two', node('orders'))
      .addEdge(START, 'one')
      .addEdge(START, 'two')
      .addEdge('one', END)
      .addEdge('two', END)
      .compile();
    const { loaded_skills, messages } = await graph.invoke({ messages: [new HumanMessage('Go')] });
    expect(Object.keys(loaded_skills).toSorted()).toEqual(['billing', 'orders']);
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('ADP-2: an unloaded skill takes its tools along, and can be loaded again', async () => {
    const { ran, tools } = hostTools();
    const model = scriptedModel([
      turn(['unload_skill', { name: 'billing' }]),
      turn(['process_refund', { amount: 1 }]),
      turn(['load_skill', { name: 'billing' }]),
      turn(['process_refund', { amount: 2 }]),
      turn('Done.'),
    ]);
    const { loaded_skills, messages } = await graphOf(model, { tools, gate: 'hide' }).invoke(
      { messages: [new HumanMessage('Go')], selected: [{ id: 'billing' }] },
      thread,
    );
    expect(ran).toEqual(['refund 2']);
    expect(model.calls.map(({ toolNames }) => toolNames.includes('process_refund'))).toEqual([true, false, false, true, true]);
    expect(loaded_skills).toMatchObject({ billing: { inContext: true } });
    expect(loadTexts(messages)).toHaveLength(2);
  });

  it('GOV-2: allowed-tools of a loaded skill forbid other tools, the graph’s own as well', async () => {
    const strict = createSkillset({
      allowedTools: skillAllowedTools({ policy: 'restrict' }),
      skills: [defineSkill({ name: 'reader', description: 'Reads.', body: 'Read only.', allowedTools: ['lookup_order'] })],
    });
    const { ran, search_docs, lookup_order } = hostTools();
    const skills = langGraphSkills(strict);
    const model = scriptedModel([
      turn(['search_docs', { query: 'a' }], ['lookup_order', { id: 'b' }], ['load_skill', { name: 'reader' }]),
      turn('Done.'),
    ]);
    const own = [search_docs, lookup_order];
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
      .addNode(
        'load',
        skills.loadSkillsNode(() => ['reader']),
      )
      .addNode('model', async (state) => ({
        messages: [await (await skills.bindLoadedTools(model, state, { tools: own })).invoke([...state.messages])],
      }))
      .addNode('tools', skills.toolNode(own))
      .addEdge(START, 'load')
      .addEdge('load', 'model')
      .addConditionalEdges('model', toolsCondition, ['tools', END])
      .addEdge('tools', 'model')
      .compile();
    const { messages } = await graph.invoke({ messages: [new HumanMessage('Go')] });
    expect(ran).toEqual(['order b']);
    expect(toolTexts(messages)[1]).toMatch(
      /^failed: Error \(permission-denied\): This call of search_docs is not allowed while the skill "reader" is active/,
    );
  });

  it('DIS-13: instructions that were cut from the messages are back in what the model reads, at a place that stays', async () => {
    const skills = langGraphSkills(skillset);
    const node = loadSkillsNode(skillset, () => ['billing']);
    const loaded = await node({ messages: [new HumanMessage('Go')], loaded_skills: {}, loaded_tools: {}, _skill_session: null });
    const cut = {
      loaded_skills: loaded.loaded_skills!,
      loaded_tools: {},
      _skill_session: null,
      messages: [new HumanMessage('Summary.')] as BaseMessage[],
    };
    const shown = await skills.messages(cut);
    expect(shown.map(({ type }) => type)).toEqual(['human', 'ai', 'tool']);
    expect(shown.at(-1)?.text).toContain('# Billing');
    expect(unansweredCalls(shown)).toEqual([]);

    const later = await skills.messages({
      ...cut,
      messages: [
        ...cut.messages,
        ...(await graphOf(scriptedModel([turn('Yes.')])).invoke({ messages: [] }, thread)).messages,
        new HumanMessage('More'),
      ],
    });
    expect(later.slice(0, 3).map(({ id, text }) => [id, text])).toEqual(shown.map(({ id, text }) => [id, text]));
    expect(later.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai', 'human']);
  });

  it('DIS-16: a node loads what a person typed', async () => {
    const { commandNode } = langGraphSkills(skillset);
    const state = (text: string) => ({ messages: [new HumanMessage(text)], loaded_skills: {}, loaded_tools: {}, _skill_session: null });
    expect(await commandNode(state('Hello'))).toEqual({});
    const { messages, loaded_skills } = await commandNode(state('/haiku about rain'));
    expect(unansweredCalls(messages ?? [])).toEqual([]);
    expect(loaded_skills).toMatchObject({ haiku: { arguments: 'about rain' } });
  });

  it('DIS-15: streams tell what happens to skills, in custom mode and as events', async () => {
    const script = () =>
      scriptedModel([
        turn(['load_skill', { name: 'orders' }]),
        turn(['load_skill', { name: 'nope' }]),
        turn(['read_skill_file', { skill: 'billing', path: 'references/policy.md' }]),
        turn(['unload_skill', { name: 'orders' }]),
        turn('Done.'),
      ]);
    const input = { messages: [new HumanMessage('Go')], selected: [{ id: 'billing' }] };
    const expected = [
      { type: 'skill_loaded', skill: 'billing', version: null },
      { type: 'skill_loaded', skill: 'orders', version: null },
      expect.objectContaining({ type: 'skill_failed', tool: 'load_skill', code: 'skill-not-found' }),
      { type: 'resource_read', skill: 'billing', path: 'references/policy.md' },
      { type: 'skill_unloaded', skill: 'orders' },
    ];
    expect(await collect(await graphOf(script()).stream(input, { ...thread, streamMode: 'custom' }))).toEqual(expected);
    const events = await collect(graphOf(script()).streamEvents(input, { ...thread, version: 'v2' }));
    const custom = events.filter(({ event }) => event === 'on_custom_event');
    expect(custom.map(({ data }) => data as unknown)).toEqual(expected);
    expect(custom.map(({ name }) => name)).toEqual(['skill_loaded', 'skill_loaded', 'skill_failed', 'resource_read', 'skill_unloaded']);
  });

  it('DIS-15: the stream of messages has what loading a skill answered', async () => {
    const model = scriptedModel([turn(['load_skill', { name: 'orders' }]), turn('Done.')]);
    const streamed = await collect(
      await graphOf(model).stream({ messages: [new HumanMessage('Go')] }, { ...thread, streamMode: 'messages' }),
    );
    const answers = streamed.map(([message]) => message).filter((message) => ToolMessage.isInstance(message));
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ name: 'load_skill', metadata: { skillInjection: true, skillIds: ['orders'] } });
  });

  it('DIS-15: traces of model calls name the loaded skills', async () => {
    const metadata: unknown[] = [];
    const callbacks = [
      {
        handleChatModelStart: (...[, , , , , , given]: unknown[]) =>
          void metadata.push(['model', (given as Record<string, unknown>)['skills']]),
      },
    ];
    const model = scriptedModel([turn('Done.')]);
    model.callbacks = callbacks;
    await graphOf(model).invoke({ messages: [new HumanMessage('Go')], selected: [{ id: 'billing' }] }, thread);
    expect(metadata).toEqual([['model', ['billing']]]);
  });
});
