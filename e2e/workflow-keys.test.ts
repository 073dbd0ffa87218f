/**
 * One law for all hosts: the idempotency key of a workflow's call belongs to one call of one run of
 * one conversation. The model numbers its calls anew in each run, as some providers do.
 */
import { entrypoint, MemorySaver } from '@langchain/langgraph';
import { run, setTracingDisabled, type AgentInputItem } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { createSkillset, emptySkillState, SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { skillWorkflows, type WorkflowTools } from '@repertoire/skill-workflow';
import { durableAgent, type DurableEngine } from '@repertoire/skill-workflow/agent';
import { durableAiSdk } from '@repertoire/skill-workflow/ai-sdk';
import { langGraphEngine } from '@repertoire/skill-workflow/langgraph';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';

setTracingDisabled(true);

const pays: SkillDefinition = {
  name: 'pays',
  description: 'Pays orders.',
  body: 'Pay.',
  steps: [
    { name: 'pay', tool: 'charge', for_each: '$.input.orders', input: { order: '$.item' }, retry: { attempts: 2, delay_ms: 0 } },
    { name: 'tell', tools: [{ tool: 'mail' }, { name: 'again', tool: 'mail' }] },
  ],
};
const toolCallId = 'functions.run_skill_workflow:0';
const toolName = 'run_skill_workflow';
const input = { skill: 'pays', input: { orders: ['A', 'B'] } };
const calls = ['pay/0', 'pay/1', 'tell/again', 'tell/mail'];
const script = () => [{ toolCalls: [{ toolName, input, toolCallId }] }, { text: 'Done.' }];

/** What a host is given, and what its tools are told. */
function workflowsOf(told: (call: string, key: string | undefined) => void) {
  const tools: WorkflowTools = {
    charge: ({ order }, { call, idempotencyKey, attempt }) => {
      told(call, idempotencyKey);
      if (attempt === 1) throw new Error('Busy.');
      return order;
    },
    mail: (_input, { call, idempotencyKey }) => told(call, idempotencyKey),
  };
  const provider = new SkillRegistry({ skills: [pays] });
  const workflows = skillWorkflows({ tools });
  return { provider, workflows, skillset: createSkillset({ provider, workflows }) };
}
type Given = ReturnType<typeof workflowsOf>;

/** Starts a conversation; each call of what it returns is a run in it. */
type Host = (given: Given, conversation: string | undefined) => () => Promise<unknown>;

const journal = (workflowId: string): DurableEngine => {
  const records = new Map<string, string>();
  return {
    workflowId,
    async runStep(id, work) {
      if (!records.has(id)) records.set(id, JSON.stringify((await work()) ?? null));
      return JSON.parse(String(records.get(id))) as never;
    },
  };
};

async function durableRun(engine: DurableEngine, { provider, workflows }: Given): Promise<string> {
  const durable = durableAgent(engine);
  const { skillset, session } = await durable.openSkills({ provider, workflows });
  const skills = await aiSdkSkills(skillset, { session });
  const settings = durableAiSdk(durable).settings({ model: scriptedModel(script()), ...skills.agentSettings() });
  return (await generateText({ ...settings, prompt: 'Pay.', stopWhen: isStepCount(3) })).text;
}

const hosts: Readonly<Record<string, Host>> = {
  'AI SDK': ({ skillset }, conversation) => {
    const messages: ModelMessage[] = [];
    return async () => {
      messages.push({ role: 'user', content: 'Pay.' });
      const skills = await aiSdkSkills(skillset, { conversation });
      const model = scriptedModel(script());
      const { responseMessages } = await generateText({ model, messages, stopWhen: isStepCount(3), ...skills.agentSettings() });
      messages.push(...responseMessages);
    };
  },
  'OpenAI Agents': ({ skillset }, conversation) => {
    let items: AgentInputItem[] = [];
    const skills = openAiAgentsSkills<object>(skillset, conversation === undefined ? {} : { conversation: () => conversation });
    const { callModelInputFilter } = skills;
    return async () => {
      const model = new ScriptedModel([[functionCall(toolName, input, { callId: toolCallId })], [assistantMessage('Done.')]]);
      const agent = skills.agent({ name: 'clerk', model });
      const given: AgentInputItem[] = [...items, { role: 'user', content: 'Pay.' }];
      items = (await run(agent, given, { context: {}, callModelInputFilter, maxTurns: 3 })).history;
    };
  },
  'LangChain, recorded': ({ skillset }, conversation) => {
    const checkpointer = new MemorySaver();
    return async () => {
      const agent = createAgent({ model: scriptedChatModel(script()), middleware: [skillsMiddleware(skillset)], checkpointer });
      await agent.invoke({ messages: [{ role: 'user', content: 'Pay.' }] }, { configurable: { thread_id: conversation } });
    };
  },
  'LangChain, not recorded':
    ({ skillset }, conversation) =>
    async () => {
      const agent = createAgent({ model: scriptedChatModel(script()), middleware: [skillsMiddleware(skillset)] });
      await agent.invoke({ messages: [{ role: 'user', content: 'Pay.' }] }, { configurable: { thread_id: conversation } });
    },
  'the core alone': ({ skillset }, conversation) => {
    let turn = 0;
    return async () => {
      const session = await skillset.open({ conversation });
      const tool = session.tools.find(({ name }) => name === toolName);
      await tool?.execute(input, { state: emptySkillState, callId: toolCallId, run: String((turn += 1)) });
    };
  },
  'durable, on a journal': (given, conversation) => {
    let runs = 0;
    return async () => await durableRun(journal(`${conversation}.${(runs += 1)}`), given);
  },
  'durable, on LangGraph': (given, conversation) => {
    const checkpointer = new MemorySaver();
    const graph = entrypoint(
      { name: 'agent', checkpointer },
      async (_: string, config) => await durableRun(langGraphEngine(config), given),
    );
    return async () => await graph.invoke('Pay.', { configurable: { thread_id: conversation } });
  },
};

describe.each(Object.entries(hosts))('%s', (_name, host) => {
  it('FLW-7: two conversations, and two runs of one, share no key; the attempts of a call share one', async () => {
    const keys = new Map<string, (string | undefined)[]>();
    let where = '';
    const given = workflowsOf((call, key) => keys.set(`${where} ${call}`, [...(keys.get(`${where} ${call}`) ?? []), key]));
    // Written one after another, the names of these and of their calls are the same text.
    for (const conversation of ['alice', 'alice:functions', 'bob']) {
      const ask = host(given, conversation);
      for (const turn of [1, 2]) {
        where = `${conversation} ${turn}`;
        await ask();
      }
    }
    expect([...keys.keys()].toSorted()).toEqual(
      ['alice', 'alice:functions', 'bob']
        .flatMap((conversation) => [1, 2].flatMap((turn) => calls.map((call) => `${conversation} ${turn} ${call}`)))
        .toSorted(),
    );
    for (const [call, told] of keys) {
      expect([call, told.length]).toEqual([call, call.includes('pay') ? 2 : 1]);
      expect([call, new Set(told).size]).toEqual([call, 1]);
      expect(told[0]).toMatch(new RegExp(`^(alice|bob).*:functions\\.run_skill_workflow(:|%3A)0:${call.split(' ').at(-1)}$`));
    }
    expect(new Set([...keys.values()].map(([key]) => key)).size).toBe(keys.size);
  });
});

it.each(['AI SDK', 'OpenAI Agents', 'LangChain, not recorded', 'the core alone'])(
  'FLW-7: %s: without a conversation there is no key, and the tool is told so',
  async (name) => {
    const told: unknown[] = [];
    const given = workflowsOf((_call, key) => told.push(key));
    await hosts[name]?.(given, undefined)();
    expect(told).toEqual(Array.from({ length: 6 }, () => undefined));
  },
);
