import { AIMessage } from '@langchain/core/messages';
import { MemorySaver, START } from '@langchain/langgraph';
import { compileAgent, runAgent, type CompileAgentOptions } from '@repertoire/declarative';
import { createSkillset, emptySkillState } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { call, discover, hostTools, registry, single, textsOf, user } from './agents.ts';

describe('models and tools', () => {
  it('DEC-1: roles, and a system prompt that the messages follow', async () => {
    const model = scriptedModel([{ text: 'ok' }]);
    const roles = single(`
      prompt:
        - { role: system, content: '"S"' }
        - { role: ai, content: '"A"' }
        - { role: messages, content: 'state.messages' }
        - { role: human, content: '"H" + string(size(state.messages))' }`);
    await runAgent(roles, { models: { main: model }, input: 'Hi' });
    expect(textsOf(model.calls[0]?.messages ?? [])).toEqual(['system: S', 'ai: A', 'human: Hi', 'human: H1']);
    const plain = scriptedModel([{ text: 'ok' }]);
    await runAgent(single(`{ prompt: '"S"' }`), { models: () => plain, input: 'Hi' });
    expect(textsOf(plain.calls[0]?.messages ?? [])).toEqual(['system: S', 'human: Hi']);
  });

  it('DEC-1: the host chooses the model by what the file says of it', async () => {
    const asked: unknown[] = [];
    const models: CompileAgentOptions['models'] = (llm) => {
      asked.push(llm);
      return scriptedModel([{ text: 'ok' }]);
    };
    const text = `llms: [{ id: a, version: "2", provider: openai, model_name: gpt }]\nnodes: [{ name: x, type: call_llm, args: { prompt: '"S"' } }]`;
    await runAgent(text, { models, input: 'Hi' });
    expect(asked).toEqual([{ id: 'a', version: '2', provider: 'openai', modelName: 'gpt' }]);
  });

  it('DEC-1: a node runs its own tools, each call with its result; a tool that the host gates opens with its skill only', async () => {
    const text = single(
      `{ prompt: '"S"', tools: [{ id: search }, { id: refund }, { id: load_skill_md }], use_tools_from_loaded_skills: true }`,
      'tools: [{ id: search }, { id: refund }]\nskills: [{ id: billing }]',
    );
    const script = [call('search'), call('refund'), call('load_skill_md', { name: 'billing' }), call('refund'), { text: 'ok' }];
    const gatedModel = scriptedModel(script);
    const gated = hostTools('search', 'refund');
    await runAgent(text, { models: { main: gatedModel }, tools: gated.tools, gatedTools: ['refund'], skills: registry(), input: 'Hi' });
    expect(gated.done).toEqual(['search', 'refund']);
    expect(gatedModel.calls.map(({ toolNames }) => toolNames.toSorted())).toEqual([
      ...Array.from({ length: 3 }, () => ['load_skill_md', 'search']),
      ...Array.from({ length: 2 }, () => ['load_skill_md', 'refund', 'search']),
    ]);
    const open = hostTools('search', 'refund');
    await runAgent(text, { models: { main: scriptedModel(script) }, tools: open.tools, skills: registry(), input: 'Hi' });
    // Skills in code close the tools that they name, whatever the file says.
    expect(open.done).toEqual(['search', 'refund']);
  });

  it('DEC-1: skills that a node loaded and skills that the model loads go together', async () => {
    const text = `
skills: [{ id: billing }, { id: orders }]
llms: [{ id: main }]
nodes:
  - { name: load, type: load_skills, args: { skill_ids: '["billing"]' } }
  - name: act
    type: call_llm
    args: { prompt: '"S"', tools: [{ id: load_skill_md }], use_tools_from_loaded_skills: true }
`;
    const model = scriptedModel([call('load_skill_md', { name: 'orders' }), call('lookup'), { text: 'ok' }]);
    const { done, tools } = hostTools('refund', 'lookup');
    const { state } = await runAgent(text, { models: { main: model }, tools, skills: registry(), input: 'Hi' });
    expect(model.calls.map(({ toolNames }) => toolNames)).toEqual([
      ['load_skill_md', 'refund'],
      ['load_skill_md', 'refund', 'lookup'],
      ['load_skill_md', 'refund', 'lookup'],
    ]);
    expect([done, Object.keys(state.loaded_skills)]).toEqual([['lookup'], ['billing', 'orders']]);
  });

  it('DEC-1: a tool of the file that a loaded skill names is among the tools of loaded skills', async () => {
    const text = `
skills: [{ id: billing }]
llms: [{ id: main }]
tools: [{ id: refund }, { id: search }]
nodes:
  - { name: load, type: load_skills, args: { skill_ids: '["billing"]' } }
  - { name: act, type: call_llm, args: { prompt: '"S"', use_tools_from_loaded_skills: true } }
`;
    const model = scriptedModel([call('refund'), { text: 'ok' }]);
    const { done, tools } = hostTools('refund', 'search');
    await runAgent(text, { models: { main: model }, tools, skills: registry(), input: 'Hi' });
    expect([model.calls.map(({ toolNames }) => toolNames), done]).toEqual([[['refund'], ['refund']], ['refund']]);
  });

  it('DEC-1: the host’s skillset options hold: names of tools, permissions, selection by context', async () => {
    const text = single(
      `{ prompt: 'string(skills.map(id, id))', tools: [{ id: load_skill }] }`,
      'skills: [{ id: billing }, { id: orders }]',
    );
    const model = scriptedModel([call('load_skill', { name: 'orders' }), { text: 'ok' }]);
    const { messages } = await runAgent(text, {
      models: { main: model },
      skills: registry(),
      skillset: {
        surface: { tools: 'progressive', names: {} },
        audience: { select: ({ name }, context) => name === (context as { only: string }).only },
      },
      binding: { context: ({ context }) => context },
      context: { only: 'billing' },
      input: 'Hi',
    });
    expect(model.calls[0]?.messages[0]?.text).toBe('["billing"]');
    expect(textsOf(messages)[2]).toMatch(/^tool: Error \(skill-not-found\)/);
  });
});

describe('an ordinary graph', () => {
  it('DEC-1: it streams, it goes on from a checkpoint with what is loaded, and its nodes and name are known', async () => {
    const checkpointer = new MemorySaver();
    const script = [
      call('load_skill_md', { name: 'billing' }),
      { text: 'one two' },
      { text: 'three' },
      { text: 'Again.' },
      { text: 'Done.' },
    ];
    const model = scriptedModel(script);
    const graph = await compileAgent(`name: desk\n${discover}`, {
      models: { 'my-llm': model },
      tools: hostTools('refund').tools,
      skills: registry(),
      graph: { checkpointer },
    });
    expect(graph.name).toBe('desk');
    expect(Object.keys(graph.nodes)).toEqual([START, 'discover', 'execute', 'discover_tools', 'execute_tools']);
    const config = { configurable: { thread_id: 'one' } };
    const seen: string[] = [];
    for await (const [mode, chunk] of await graph.stream(user('Hi'), { ...config, streamMode: ['updates', 'messages'] as const })) {
      if (mode === 'updates') seen.push(Object.keys(chunk).join());
      else if (AIMessage.isInstance(chunk[0])) seen.push(`"${chunk[0].text}"`);
    }
    expect(seen.filter((entry) => !entry.startsWith('"'))).toEqual(['discover', 'discover_tools', 'discover', 'execute']);
    expect(seen).toContain('"one "');
    const state = await graph.invoke(user('More'), config);
    expect(Object.keys(state.loaded_skills)).toEqual(['billing']);
    expect(model.calls.at(-1)?.toolNames).toEqual(['refund']);
    expect(state.messages.filter(({ type }) => type === 'human')).toHaveLength(2);
  });

  it('DEC-1: instructions of a loaded skill that were cut from the messages are read again', async () => {
    const session = await createSkillset({ provider: registry() }).open();
    const { events } = await session.load({ name: 'billing' }, { state: emptySkillState });
    const { loaded } = session.apply(emptySkillState, events);
    const model = scriptedModel([{ text: 'ok' }]);
    const text = single(`{ prompt: '"S"' }`, 'skills: [{ id: billing }]');
    await runAgent(text, {
      models: { main: model },
      skills: registry(),
      input: { ...user('Short'), loaded_skills: loaded },
    });
    expect(model.calls[0]?.messages.some((message) => message.text.includes('Refund with care.'))).toBe(true);
  });
});
