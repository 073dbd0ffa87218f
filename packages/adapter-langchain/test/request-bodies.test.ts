import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createAgent, SystemMessage } from 'langchain';
import { describe, expect, it } from 'vitest';
import { summarization } from './host-middleware.ts';
import { hostTools, skills } from './billing-skills.ts';
import { anthropicModel, openaiModel, type Body } from './recording-server.ts';
import type { Call } from './scripts.ts';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';

const skillset = createSkillset({ skills });
const script: readonly (Call | null)[] = [
  ['load_skill', { name: 'billing' }],
  ['read_skill_file', { skill: 'billing', path: 'references/policy.md' }],
  ['process_refund', { amount: 40 }],
  null,
];
const user = { messages: [{ role: 'user' as const, content: 'Money!' }] };
const without = (body: Body | undefined, ...fields: string[]) =>
  JSON.stringify({ ...body, ...Object.fromEntries(fields.map((field) => [field, null])) });

const bytes = (body: Body | undefined) => body?.messages.map((message) => JSON.stringify(message)) ?? [];

describe.each([
  { provider: '@langchain/anthropic', open: anthropicModel },
  { provider: '@langchain/openai', open: openaiModel },
])('what $provider sends', ({ open }) => {
  it('ADP-5: tools and system prompt stay the same to the byte, and messages only grow', async () => {
    await using recorded = await open(script);
    const { ran, tools, search_docs } = hostTools();
    const agent = createAgent({
      model: recorded.model,
      tools: [search_docs],
      systemPrompt: 'You are kind.',
      middleware: [skillsMiddleware(skillset, { tools })],
    });
    const { messages } = await agent.invoke(user);
    expect({ text: messages.at(-1)?.text, ran, requests: recorded.bodies.length }).toEqual({
      text: 'Refunded.',
      ran: ['refund 40'],
      requests: 4,
    });
    for (const [index, body] of recorded.bodies.entries()) {
      expect(without(body, 'messages')).toBe(without(recorded.bodies[0], 'messages'));
      const before = bytes(recorded.bodies[Math.max(index - 1, 0)]);
      expect(bytes(body).slice(0, before.length)).toEqual(before);
    }
    expect(JSON.stringify(recorded.bodies[0])).toContain('<available_skills>');
    expect(JSON.stringify(recorded.bodies)).not.toContain('skillInjection');
  });

  it('ADP-5: with gate "hide", only the list of tools changes, at its end', async () => {
    await using recorded = await open(script);
    const { tools, search_docs } = hostTools();
    await createAgent({
      model: recorded.model,
      tools: [search_docs],
      systemPrompt: 'You are kind.',
      middleware: [skillsMiddleware(skillset, { tools, gate: 'hide' })],
    }).invoke(user);
    const toolsOf = (body: Body | undefined) => (body?.['tools'] as unknown[] | undefined)?.map((tool) => JSON.stringify(tool));
    const [before, after] = recorded.bodies;
    expect(without(after, 'messages', 'tools')).toBe(without(before, 'messages', 'tools'));
    expect(toolsOf(after)?.slice(0, -1)).toEqual(toolsOf(before));
    expect(toolsOf(after)?.at(-1)).toContain('process_refund');
    expect(bytes(after).slice(0, bytes(before).length)).toEqual(bytes(before));
  });

  it('DIS-3: the model gets the instructions as text, not as JSON of text', async () => {
    await using recorded = await open(script);
    await createAgent({ model: recorded.model, middleware: [skillsMiddleware(skillset, { tools: hostTools().tools })] }).invoke(user);
    expect(JSON.stringify(recorded.bodies[1])).toMatch(
      /"<skill_content name=\\"billing\\" source=\\"code\\" revision=\\"[\w-]{22}\\">\\n# Billing\\n/,
    );
  });

  it('ADP-2: a graph’s own loads reach the model as calls with their results', async () => {
    await using recorded = await open([null]);
    const parts = langGraphSkills(skillset);
    await new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState }))
      .addNode(
        'load',
        parts.loadSkillsNode(() => ['billing', 'haiku']),
      )
      .addNode('model', async (state) => ({
        messages: [await (await parts.bindLoadedTools(recorded.model, state)).invoke([...state.messages])],
      }))
      .addEdge(START, 'load')
      .addEdge('load', 'model')
      .compile()
      .invoke({ messages: [new HumanMessage('Go')] });
    const sent = JSON.stringify(recorded.bodies[0]?.messages);
    const ids = [...sent.matchAll(/"(?:tool_use_id|tool_call_id)":"(?<id>\w+)"/g)].map((match) => match.groups?.['id']);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(sent).toContain(`"id":"${id}"`);
    expect((recorded.bodies[0]?.messages as { role: string }[] | undefined)?.map(({ role }) => role)).toEqual(
      open === anthropicModel ? ['user', 'assistant', 'user', 'assistant', 'user'] : ['user', 'assistant', 'tool', 'assistant', 'tool'],
    );
  });

  it('ADP-5: after a summary the instructions stand where they stay, and the prefix holds again', async () => {
    const search = (query: string): Call => ['search_docs', { query }];
    await using recorded = await open([['load_skill', { name: 'billing' }], search('a'), search('b'), search('c'), null]);
    const summarize = summarization({
      model: scriptedModel(() => ({ text: 'They want money.' })),
      trigger: { messages: 6 },
      keep: { messages: 2 },
    });
    const agent = createAgent({
      model: recorded.model,
      tools: [hostTools().search_docs],
      middleware: [summarize, skillsMiddleware(skillset)],
    });
    await agent.invoke(user);
    const [, , , cut, next] = recorded.bodies;
    expect(JSON.stringify(cut?.messages)).toContain('They want money.');
    expect(JSON.stringify(cut?.messages).split('# Billing')).toHaveLength(2);
    expect(without(next, 'messages')).toBe(without(cut, 'messages'));
    expect(bytes(next).slice(0, bytes(cut).length)).toEqual(bytes(cut));
  });
});

describe('marks for the cache', () => {
  it('ADP-5: those of the host stay, and one may stand behind the catalog', async () => {
    await using recorded = await anthropicModel([null]);
    const mark = { type: 'ephemeral' as const };
    const systemPrompt = new SystemMessage({ content: [{ type: 'text', text: 'You are kind.', cache_control: mark }] });
    await createAgent({ model: recorded.model, systemPrompt, middleware: [skillsMiddleware(skillset, { cacheControl: mark })] }).invoke(
      user,
    );
    const { text } = (await skillset.open()).catalog;
    expect(recorded.bodies[0]?.['system']).toEqual([
      { type: 'text', text: 'You are kind.', cache_control: mark },
      { type: 'text', text: `\n\n${text}`, cache_control: mark },
    ]);
  });
});

it('ADP-5: for a model that signs what it thinks, a call that the host made stands in a turn that is over, in agents and graphs', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed' };
  const load = { id: 'own', name: 'load_skill', args: { name: 'billing' } };
  /** A conversation with turns that think, in which the text of the load was cut. */
  const history = () => [
    new HumanMessage('Money!'),
    new AIMessage({
      content: [thinking, { type: 'tool_use', id: 'a', name: 'search_docs', input: { query: 'a' } }],
      tool_calls: [{ id: 'a', name: 'search_docs', args: { query: 'a' } }],
    }),
    new ToolMessage({ tool_call_id: 'a', name: 'search_docs', content: 'Nothing.' }),
  ];
  const loaded = (await createAgent({
    model: scriptedModel((_call, index) => (index === 0 ? { toolCalls: [{ toolName: load.name, input: load.args }] } : { text: 'Done.' })),
    middleware: [skillsMiddleware(skillset)],
  }).invoke(user)) as unknown as { loaded_skills: object };
  const input = () => ({ messages: history(), loaded_skills: loaded.loaded_skills });
  const agentOf = async (model: BaseChatModel) =>
    createAgent({ model, tools: [hostTools().search_docs], middleware: [skillsMiddleware(skillset)] }).invoke(input() as never);
  const graphOf = async (model: BaseChatModel) => {
    const parts = langGraphSkills(skillset, { tools: [hostTools().search_docs] });
    const graph = new StateGraph(new StateSchema({ messages: MessagesValue, ...skillsState })).addNode('model', parts.modelNode(model));
    return graph
      .addEdge(START, 'model')
      .compile()
      .invoke(input() as never);
  };
  for (const run of [agentOf, graphOf]) {
    await using claude = await anthropicModel([null]);
    await run(claude.model);
    const messages = claude.bodies[0]?.messages as { role: string; content: string | { type: string; id?: string }[] }[];
    const typesOf = ({ role, content }: (typeof messages)[number]) => [role, typeof content === 'string' ? 'text' : content[0]?.type];
    expect(messages.map(typesOf)).toEqual([
      ['user', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
      ['user', 'text'],
      // As the model wrote it, with its signature.
      ['assistant', 'thinking'],
      ['user', 'tool_result'],
    ]);
    expect(JSON.stringify(messages[5])).toContain('"signature":"signed"');
    await using other = await openaiModel([null]);
    await run(other.model);
    expect(JSON.stringify(other.bodies[0]?.messages)).toContain('# Billing');
    expect(JSON.stringify(other.bodies[0]?.messages)).not.toContain('Noted.');
  }
});
