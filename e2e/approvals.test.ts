import { type Agent, Runner, run, setTracingDisabled, type RunState, tool as agentTool, type RunResult } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool as chatTool } from '@langchain/core/tools';
import { Command, END, INTERRUPT, MemorySaver, MessagesValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import { toolsCondition } from '@langchain/langgraph/prebuilt';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState } from '@repertoire/adapter-langchain/langgraph';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import {
  createSkillset,
  defineSkill,
  emptySkillState,
  skillApprovals,
  SkillRegistry,
  type SkillActivity,
  type SkillProvider,
  type SkillQuestion,
  type Skillset,
} from '@repertoire/skills-core';
import { durableAgent } from '@repertoire/skill-workflow/agent';
import { scriptedModel as scriptedAiModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import {
  generateText,
  isStepCount,
  jsonSchema,
  streamText,
  tool as aiTool,
  ToolLoopAgent,
  type ContentPart,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';

setTracingDisabled(true);

const helper = (body: string) => defineSkill({ name: 'helper', description: 'Helps.', tools: ['pay'], body, resources: { 'a.md': 'A.' } });
const calls = [
  { id: 'c1', name: 'load_skill', input: { name: 'helper' } },
  { id: 'c2', name: 'bash', input: { command: 'ls' } },
  { id: 'c3', name: 'pay', input: { command: 'all' } },
] as const;
const hostTools = ['bash', 'pay'] as const;
const conversation = 'one';
const parameters = {
  type: 'object',
  properties: { command: { type: 'string' } },
  required: ['command'],
  additionalProperties: false,
} as const;

/**
 * A source of somebody else, whose skill changes, and a host whose processes share only a store.
 */
function makeWorld() {
  let inner = new SkillRegistry({ skills: [helper('Reviewed words.')], label: 'web', trusted: false });
  const provider: SkillProvider = {
    label: 'web',
    listSkills: (options) => inner.listSkills(options),
    getSkill: (...given) => inner.getSkill(...given),
    readResource: (...given) => inner.readResource(...given),
    contentOf: async (...given) => await inner.contentOf?.(...given),
  };
  const texts = new Map<string, string>();
  const store = {
    get: (key: string) => texts.get(key),
    set: (key: string, value: string) => texts.set(key, value),
    delete: (key: string) => texts.delete(key),
    take(key: string) {
      const text = texts.get(key);
      texts.delete(key);
      return text;
    },
    keys: (prefix: string) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
  const ran: string[] = [];
  const events: SkillActivity[] = [];
  const policy = {
    gates: { tools: ['pay'] },
    approvals: skillApprovals({ store, codeTools: ['bash'] }),
    onEvent: (event: SkillActivity) => void events.push(event),
  };
  return {
    provider,
    policy,
    ran,
    run(tool: string) {
      ran.push(tool);
      return `${tool} ran`;
    },
    asked: () => events.flatMap((event) => (event.type === 'skill_approval_requested' ? [`${event.kind} ${event.question}`] : [])),
    change: () => void (inner = new SkillRegistry({ skills: [helper('OTHER WORDS.')], label: 'web', trusted: false })),
    process: (): Skillset => createSkillset({ provider, ...policy }),
  };
}

type World = ReturnType<typeof makeWorld>;
// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own types of agents are not assignable to one another
type AnyAgent = Agent<any, any>;
/** Said of each question, in order; `change`: the source changes while the person thinks. */
type Said = 'yes' | 'no' | 'change';
/** Plays the conversation and returns everything that the model was told. */
type Play = (world: World, said: readonly Said[]) => Promise<string>;

/**
 * A durable run: each answer of a person ends a process, and the next one replays what is recorded.
 */
const durable: Play = async (world, said) => {
  const recorded = new Map<string, string>();
  const answers: Said[] = [];
  for (const next of [...said, ...Array.from({ length: 8 }, () => 'no' as const)]) {
    const told = await replay(world, recorded, answers);
    if (told !== undefined) return told;
    if (next === 'change') world.change();
    answers.push(next);
  }
  throw new Error('It asks without end.');
};

/** @returns what the model was told; `undefined` if an answer is missing */
async function replay(world: World, recorded: Map<string, string>, answers: readonly Said[]): Promise<string | undefined> {
  const left = [...answers];
  const told: string[] = [];
  const agent = durableAgent({
    workflowId: conversation,
    runStep: async (id, work) => {
      const known = recorded.get(id) ?? JSON.stringify((await work()) ?? null);
      recorded.set(id, known);
      return JSON.parse(known) as never;
    },
  });
  const { session } = await agent.openSkills({ provider: world.provider, ...world.policy });
  let kept = emptySkillState;
  for (const { id, name, input } of calls) {
    for (;;) {
      const verdict = await session.judgeCall(kept, { tool: name, input, id });
      if (verdict.decision === 'needs-approval') {
        const question = await session.approvals?.ask(kept, { tool: name, input, id });
        const answer = left.shift();
        if (answer === undefined) return undefined;
        const isYes = await session.approvals?.answer(question?.id ?? '', { answer: answer === 'no' ? 'no' : 'once' });
        const isOwn = session.tools.some((tool) => tool.name === name);
        if (isYes !== true || (!isOwn && (await session.approvals?.take(question?.id ?? '')) !== true)) {
          told.push(String(verdict.error));
          break;
        }
      }
      if (verdict.decision === 'denied') {
        told.push(String(verdict.error));
        break;
      }
      const own = session.tools.find((tool) => tool.name === name);
      if (own === undefined) {
        told.push(await agent.callTool(id, async () => world.run(name)));
        break;
      }
      const { text, events, error } = await own.execute(input, { state: kept, callId: id });
      kept = session.apply(kept, events);
      if (error?.code !== 'needs-approval') {
        told.push(text);
        break;
      }
    }
  }
  return told.join('\n');
}

/** The core alone: a loop of one's own. */
const plain: Play = async (world, said) => {
  const answers = [...said];
  const told: string[] = [];
  let kept = emptySkillState;
  for (const { id, name, input } of calls) {
    for (let round = 0; ; round += 1) {
      if (round === 8) throw new Error('It asks without end.');
      const session = await world.process().open({ conversation });
      const verdict = await session.judgeCall(kept, { tool: name, input, id });
      const asked = verdict.decision === 'needs-approval' ? verdict : undefined;
      if (verdict.decision === 'denied') {
        told.push(String(verdict.error));
        break;
      }
      if (asked !== undefined) {
        const question = await session.approvals?.ask(kept, { tool: name, input, id });
        const answer = answers.shift() ?? 'no';
        if (answer === 'change') world.change();
        // In a process of its own, which knows the id: an answer counts for what was shown.
        const later = await world.process().open({ conversation });
        const isYes = await later.approvals?.answer(question?.id ?? '', { answer: answer === 'no' ? 'no' : 'once' });
        const isOwn = session.tools.some((tool) => tool.name === name);
        if (isYes !== true || (!isOwn && (await later.approvals?.take(question?.id ?? '')) !== true)) {
          told.push(String(asked.error));
          break;
        }
      }
      const own = session.tools.find((tool) => tool.name === name);
      if (own === undefined) {
        told.push(world.run(name));
        break;
      }
      const { text, events, question } = await own.execute(input, { state: kept, callId: id });
      kept = session.apply(kept, events);
      if (question === undefined) {
        told.push(text);
        break;
      }
    }
  }
  return told.join('\n');
};

/** One request of the AI SDK. */
type Generate = (
  settings: Parameters<typeof generateText>[0] & { readonly messages: ModelMessage[] },
) => Promise<{ readonly content: readonly ContentPart<ToolSet>[]; readonly messages: readonly ModelMessage[] }>;

const generates: Generate = async (settings) => {
  const { content, responseMessages } = await generateText(settings);
  return { content, messages: responseMessages };
};
const streams: Generate = async (settings) => {
  const result = streamText(settings as never);
  return { content: await result.content, messages: await result.responseMessages };
};
const loops: Generate = async ({ messages, ...settings }) => {
  const { content, responseMessages } = await new ToolLoopAgent(settings as never).generate({ messages });
  return { content, messages: responseMessages };
};

const aiSdk =
  (generate: Generate): Play =>
  async (world, said) => {
    const model = scriptedAiModel([
      ...calls.map(({ id, name, input }) => ({ toolCalls: [{ toolName: name, toolCallId: id, input }] })),
      { text: 'Done.' },
    ]);
    const box = { current: emptySkillState };
    const answers = [...said];
    const messages: ModelMessage[] = [{ role: 'user', content: 'Help.' }];
    for (let round = 0; round < 8; round += 1) {
      // Each request is a process of its own: only the store and the saved state live on.
      const tools = Object.fromEntries(
        hostTools.map((name) => [name, aiTool({ inputSchema: jsonSchema<object>(parameters as never), execute: () => world.run(name) })]),
      );
      const skills = await aiSdkSkills(world.process(), { conversation, state: box, tools });
      const result = await generate({ model, messages, stopWhen: isStepCount(9), ...skills.agentSettings() });
      messages.push(...result.messages);
      const request = result.content
        .flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
        .find(({ isAutomatic }) => isAutomatic !== true);
      if (request === undefined) return JSON.stringify([messages, model.calls.at(-1)?.prompt]);
      const answer = answers.shift() ?? 'no';
      if (answer === 'change') world.change();
      messages.push({
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: request.approvalId, approved: answer !== 'no' }],
      });
    }
    throw new Error('It asks without end.');
  };

type Invoke = (input: unknown) => Promise<unknown>;
type ChatModel = ReturnType<typeof scriptedChatModel>;
const thread = { configurable: { thread_id: conversation } };

/** A process with an agent of LangChain. */
const agentOf = (world: World, model: ChatModel, checkpointer: MemorySaver): Invoke => {
  const agent = createAgent({ model, checkpointer, middleware: [skillsMiddleware(world.process(), { tools: chatTools(world) as never })] });
  return async (input) => await agent.invoke(input as never, thread);
};

const State = new StateSchema({ messages: MessagesValue, ...skillsState });
/** A process with a graph of one's own. */
const graphOf = (world: World, model: ChatModel, checkpointer: MemorySaver): Invoke => {
  const skills = langGraphSkills(world.process(), { tools: chatTools(world) as never });
  const graph = new StateGraph(State)
    .addNode('catalog', skills.catalogNode)
    .addNode('model', async (state, config) => {
      const bound = await skills.bindLoadedTools(model, state, { config });
      return { messages: [await bound.invoke(await skills.messages(state, config))] };
    })
    .addNode('tools', skills.toolNode())
    .addEdge(START, 'catalog')
    .addEdge('catalog', 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile({ checkpointer });
  return async (input) => await graph.invoke(input as never, thread);
};

const chatTools = (world: World) =>
  hostTools.map((name) => chatTool(() => world.run(name), { name, description: name, schema: parameters as never }));

const langChain =
  (open: typeof agentOf): Play =>
  async (world, said) => {
    const model = scriptedChatModel([
      ...calls.map(({ id, name, input }) => ({ toolCalls: [{ toolName: name, toolCallId: id, input }] })),
      { text: 'Done.' },
    ]);
    const checkpointer = new MemorySaver();
    const answers = [...said];
    let input: unknown = { messages: [new HumanMessage('Help.')] };
    for (let round = 0; round < 8; round += 1) {
      const result = (await open(world, model, checkpointer)(input)) as {
        messages: BaseMessage[];
        [INTERRUPT]?: { value: SkillQuestion }[];
      };
      const [stop] = result[INTERRUPT] ?? [];
      if (stop === undefined) return result.messages.map(({ text }) => text).join('\n');
      const answer = answers.shift() ?? 'no';
      if (answer === 'change') world.change();
      input = new Command({ resume: { question: stop.value.id, answer: answer === 'no' ? 'no' : 'once' } });
    }
    throw new Error('It asks without end.');
  };

const openAiAgents: Play = async (world, said) => {
  const model = new ScriptedModel([
    ...calls.map(({ id, name, input }) => [functionCall(name, input, { callId: id })]),
    [assistantMessage('Done.')],
  ]);
  const box = { current: emptySkillState };
  const answers = [...said];
  const open = () => {
    const tools = hostTools.map((name) =>
      agentTool({
        name,
        description: name,
        parameters: parameters as never,
        strict: false,
        execute: () => world.run(name),
      }),
    );
    const skills = openAiAgentsSkills(world.process(), { state: () => box, conversation: () => conversation });
    return { skills, agent: skills.agent({ name: 'help', model, tools: tools as never }) };
  };
  let { skills, agent } = open();
  let result = (await run(agent, 'Help.')) as unknown as RunResult<unknown, AnyAgent>;
  for (let round = 0; result.interruptions.length > 0; round += 1) {
    if (round === 8) throw new Error('It asks without end.');
    const text = result.state.toString();
    ({ skills, agent } = open());
    const state = (await skills.restoreRun(agent, text, {})) as RunState<unknown, AnyAgent>;
    const [item] = state.getInterruptions();
    const answer = answers.shift() ?? 'no';
    if (answer === 'change') world.change();
    if (answer === 'no') state.reject(item!);
    else state.approve(item!);
    result = await new Runner().run(agent, state);
  }
  return JSON.stringify(result.history);
};

/**
 * Whether a framework asks by itself and brings a yes, which gives a load or the one call alone.
 */
type Bare = 'bare' | 'named';
const hosts: readonly (readonly [string, Play, Bare])[] = [
  ['core', plain, 'named'],
  ['core in a durable run', durable, 'named'],
  ['AI SDK generateText', aiSdk(generates), 'bare'],
  ['AI SDK streamText', aiSdk(streams), 'bare'],
  ['AI SDK ToolLoopAgent', aiSdk(loops), 'bare'],
  ['LangChain', langChain(agentOf), 'named'],
  ['LangGraph', langChain(graphOf), 'named'],
  ['OpenAI Agents SDK', openAiAgents, 'bare'],
];

describe.each(hosts)('approvals of skills with the %s, each step in a process of its own', (_name, play, bare) => {
  it('APR-10, GOV-17: a yes loads what was asked about, and opens what it grants; a bare one gives the load and the call', async () => {
    const here = makeWorld();
    const told = await play(here, ['yes', 'yes']);
    expect(told).toContain('Reviewed words.');
    expect(here.ran).toEqual(bare === 'bare' ? ['bash'] : ['bash', 'pay']);
    expect(here.asked().map((line) => line.split(' ')[0])).toEqual(expect.arrayContaining(['load', 'call']));
  });

  it('APR-10: a no loads nothing and opens nothing', async () => {
    const here = makeWorld();
    const told = await play(here, ['no']);
    expect(told).not.toContain('Reviewed words.');
    // Nothing of the skill stands in the context, so the tool that executes code is not asked
    // about.
    expect(here.ran).toEqual(['bash']);
  });

  it('APR-10: a no to the call keeps it from running', async () => {
    const here = makeWorld();
    await play(here, ['yes', 'no']);
    expect(here.ran).toEqual(bare === 'bare' ? [] : ['pay']);
  });

  it('APR-5: a yes is for the bytes that were asked about: a change before it is carried out asks again or refuses', async () => {
    const here = makeWorld();
    const told = await play(here, ['change', 'no']);
    expect(told).not.toContain('OTHER WORDS.');
    expect(here.ran).not.toContain('pay');
  });
});

describe('the same scripted agent', () => {
  it('APR-11: gives the same questions on all hosts', async () => {
    const asked = await Promise.all(
      hosts.map(async ([, play]) => {
        const here = makeWorld();
        await play(here, ['yes', 'yes']);
        return [...new Set(here.asked())];
      }),
    );
    expect(asked[0]).toHaveLength(2);
    for (const [index, own] of asked.entries()) expect(own, hosts[index]?.[0]).toEqual(asked[0]);
  });
});
