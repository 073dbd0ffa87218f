import { HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool, type ToolRuntime } from '@langchain/core/tools';
import { Command, END, MemorySaver, MessagesValue, Send, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { loadedSkills } from '@repertoire/adapter-langchain/langgraph';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostTools, skills as definitions } from './billing-skills.ts';
import { toolTexts, turn, unansweredCalls } from './scripts.ts';

const skillset = createSkillset({ skills: definitions });
const Shared = new StateSchema({ messages: MessagesValue, ...skillsState });
const Messages = new StateSchema({ messages: MessagesValue });
const go = () => ({ messages: [new HumanMessage('Go')] });
const names = (result: unknown) => loadedSkills(result).map(({ name }) => name);
const loads = (name: string) => scriptedModel([turn(['load_skill', { name }]), turn(`${name} is there.`)]);
/** A model whose call ids are its own, as those of real models are. */
const refunds = () =>
  scriptedModel([{ toolCalls: [{ toolCallId: 'refund', toolName: 'process_refund', input: { amount: 1 } }] }, turn('Done.')]);
const agentOf = (model: ScriptedChatModel, tools: ReturnType<typeof hostTools>['tools'][number][] = []) =>
  createAgent({ model, middleware: [skillsMiddleware(skillset, { tools })] });

describe('agents as nodes of one graph', () => {
  it('ADP-1: with the channels in the parent, what one agent loads is loaded for the next, with its tools and its instructions', async () => {
    const { ran, process_refund } = hostTools();
    const second = refunds();
    const graph = new StateGraph(Shared)
      .addNode('first', agentOf(loads('billing')).graph)
      .addNode('second', agentOf(second, [process_refund]).graph)
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', END)
      .compile();
    const result = await graph.invoke(go());
    expect(names(result)).toEqual(['billing']);
    expect(ran).toEqual(['refund 1']);
    expect(second.calls[0]!.messages.some(({ text }) => text.includes('# Billing'))).toBe(true);
    expect(unansweredCalls(second.calls[0]!.messages)).toEqual([]);
  });

  it('ADP-1: without the channels nothing flows: a load in the messages opens nothing', async () => {
    const { ran, process_refund } = hostTools();
    const second = refunds();
    const graph = new StateGraph(Messages)
      .addNode('first', agentOf(loads('billing')).graph)
      .addNode('second', agentOf(second, [process_refund]).graph)
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', END)
      .compile();
    await graph.invoke(go());
    expect(ran).toEqual([]);
    expect(second.calls[0]!.messages.some(({ text }) => text.includes('# Billing'))).toBe(true);
  });

  it('ADP-2: a subgraph of one’s own shares them in the same way, over a checkpointer too', async () => {
    const { ran, process_refund } = hostTools();
    const parts = langGraphSkills(skillset, { tools: [process_refund] });
    const inner = parts.addTo(new StateGraph(Shared), { model: refunds() }).compile();
    const graph = new StateGraph(Shared)
      .addNode(
        'load',
        parts.loadSkillsNode(() => ['billing']),
      )
      .addNode('inner', inner)
      .addEdge(START, 'load')
      .addEdge('load', 'inner')
      .addEdge('inner', END)
      .compile({ checkpointer: new MemorySaver() });
    const result = await graph.invoke(go(), { configurable: { thread_id: 'one' } });
    expect([ran, names(result)]).toEqual([['refund 1'], ['billing']]);
  });
});

describe('a supervisor that calls agents as tools', () => {
  it('ADP-1: nothing flows: each agent loads for itself, and its loads stay with it', async () => {
    const { ran, process_refund } = hostTools();
    const worker = scriptedModel([
      turn(['process_refund', { amount: 1 }]),
      turn(['load_skill', { name: 'orders' }]),
      turn('Worker is done.'),
    ]);
    const work = tool(
      async ({ task }) => {
        const { messages } = await agentOf(worker, [process_refund]).invoke({ messages: [{ role: 'user', content: task }] });
        return messages.at(-1)?.text ?? '';
      },
      { name: 'work', description: 'Does work.', schema: z.object({ task: z.string() }) },
    );
    const supervisor = scriptedModel([turn(['load_skill', { name: 'billing' }]), turn(['work', { task: 'Refund' }]), turn('Done.')]);
    const agent = createAgent({
      model: supervisor,
      tools: [work],
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(skillset)],
    });
    const result = await agent.invoke(go(), { configurable: { thread_id: 'one' } });
    expect(names(result)).toEqual(['billing']);
    expect(toolTexts(result.messages).at(-1)).toBe('Worker is done.');
    expect(ran).toEqual([]);
    expect(worker.calls[0]!.messages.some(({ text }) => text.includes('# Billing'))).toBe(false);
  });
});

describe('a handoff', () => {
  it.each([true, false])('ADP-1: the next agent has what the update carries (with the channels: %s)', async (carries) => {
    const { ran, process_refund } = hostTools();
    const handoff = tool(
      async (_input, runtime: ToolRuntime) => {
        const state = runtime.state as { messages: BaseMessage[]; loaded_skills: object; loaded_tools: object };
        const done = new ToolMessage({ tool_call_id: runtime.toolCallId, content: 'Handed over.' });
        const { messages, loaded_skills, loaded_tools } = state;
        const update = { messages: [...messages, done], ...(carries && { loaded_skills, loaded_tools }) };
        return new Command({ graph: Command.PARENT, goto: 'second', update });
      },
      { name: 'handoff', description: 'Hands over.', schema: z.object({}) },
    );
    const first = scriptedModel([turn(['load_skill', { name: 'billing' }]), turn(['handoff', {}])]);
    const second = refunds();
    const graph = new StateGraph(Shared)
      .addNode('first', createAgent({ model: first, tools: [handoff], middleware: [skillsMiddleware(skillset)] }).graph, {
        ends: ['second'],
      })
      .addNode('second', agentOf(second, [process_refund]).graph)
      .addEdge(START, 'first')
      .addEdge('second', END)
      .compile();
    const result = await graph.invoke(go());
    expect(ran).toEqual(carries ? ['refund 1'] : []);
    expect(names(result)).toEqual(carries ? ['billing'] : []);
    expect(unansweredCalls(second.calls[0]!.messages)).toEqual([]);
  });
});

describe('Send', () => {
  it('ADP-2: each branch begins with what was sent to it, and their loads are merged by name', async () => {
    const Fan = new StateSchema({ messages: MessagesValue, ...skillsState });
    const seen: string[][] = [];
    const parts = langGraphSkills(skillset);
    const branch = async (state: typeof Fan.State) => {
      seen.push(names(state));
      return parts.loadSkillsNode(() => [state.messages.at(-1)?.text ?? ''])(state);
    };
    const graph = new StateGraph(Fan)
      .addNode(
        'load',
        parts.loadSkillsNode(() => ['haiku']),
      )
      .addNode('branch', branch)
      .addEdge(START, 'load')
      .addConditionalEdges('load', ({ loaded_skills }) => [
        new Send('branch', { messages: [new HumanMessage('billing')] }),
        new Send('branch', { messages: [new HumanMessage('orders')], loaded_skills }),
      ])
      .addEdge('branch', END)
      .compile();
    const result = await graph.invoke(go());
    expect(seen.toSorted()).toEqual([[], ['haiku']]);
    expect(names(result).toSorted()).toEqual(['billing', 'haiku', 'orders']);
    expect(unansweredCalls(result.messages)).toEqual([]);
  });
});

describe('the tool `task` of deepagents, which hands states down and up', () => {
  const agentsOf = (parent: ScriptedChatModel, child: ScriptedChatModel, refund: ReturnType<typeof hostTools>['process_refund']) =>
    createDeepAgent({
      model: parent,
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(skillset, { tools: [refund] })],
      subagents: [
        {
          name: 'payer',
          description: 'Pays.',
          systemPrompt: 'You pay.',
          model: child,
          tools: [],
          middleware: [skillsMiddleware(skillset, { tools: [refund] })],
        },
      ],
    } as never);
  const task = (id: string) => ({
    toolCalls: [{ toolCallId: id, toolName: 'task', input: { description: 'Pay.', subagent_type: 'payer' } }],
  });
  const refund = (id: string) => ({ toolCalls: [{ toolCallId: id, toolName: 'process_refund', input: { amount: 1 } }] });
  const load = (id: string, name = 'billing') => ({ toolCalls: [{ toolCallId: id, toolName: 'load_skill', input: { name } }] });
  const config = { configurable: { thread_id: 'one' } };

  it('ADP-1, GOV-15: what the parent loaded is not loaded below: no text, no tool (ATK-410)', async () => {
    const { ran, process_refund } = hostTools();
    const child = scriptedModel([refund('below'), turn('Refused.')]);
    const parent = scriptedModel([load('above'), task('task'), refund('after'), turn('Done.')]);
    const result = await agentsOf(parent, child, process_refund).invoke(go(), config);
    expect(child.calls.map(({ messages }) => messages.some(({ text }) => text.includes('# Billing\n')))).toEqual([false, false]);
    expect(toolTexts(child.calls[1]!.messages)).toEqual([expect.stringContaining('is locked until')]);
    // What the parent itself loaded stays.
    expect([ran, names(result)]).toEqual([['refund 1'], ['billing']]);
  });

  it('ADP-1, GOV-15: what a sub-agent loads opens nothing above, in a later run neither (ATK-411)', async () => {
    const { ran, process_refund } = hostTools();
    const child = scriptedModel([load('below'), refund('below too'), turn('Paid.')]);
    const parent = scriptedModel([load('above', 'haiku'), task('task'), refund('after'), turn('No.'), refund('later'), turn('No.')]);
    const agent = agentsOf(parent, child, process_refund);
    await agent.invoke(go(), config);
    const result = await agent.invoke(go(), config);
    expect([ran, names(result)]).toEqual([['refund 1'], ['haiku']]);
    expect(toolTexts(result.messages).filter((text) => text.includes('is locked until'))).toHaveLength(2);
  });
});
