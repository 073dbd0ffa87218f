import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { Runner, tool as agentTool, type AgentInputItem } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { scriptedModel as aiSdkModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as chatModel } from '@repertoire/skills-testkit/langchain';
import { MemorySaver } from '@langchain/langgraph';
import { tool } from '@langchain/core/tools';
import { generateText, isStepCount, jsonSchema, dynamicTool, type JSONSchema7, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { replayRecording } from '@repertoire/inspector';
import { readRecording } from '../src/recording/read-recording.ts';
import { skillsetOf } from '../src/prompt/prompt-settings.ts';
import { aiSdkRequest } from '../src/frameworks/ai-sdk.ts';
import { langChainRequest } from '../src/frameworks/langchain.ts';
import { openAiAgentsRequest } from '../src/frameworks/openai-agents.ts';
import { requestText, type ModelRequest } from '../src/frameworks/model-request.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { randomConversation, type RandomConversation } from './support/random-conversation.ts';
import { exampleSkills, lockedExamples } from './support/library.ts';

const live = exampleSkills();

/** Also enough for every kind of call and every value of every setting, which a test looks for. */
const perFramework = propertyRuns(100);
/** Many in one test, so that a failure names its seed and the rest still runs in slices. */
const seedsPerTest = 25;

/** What a run through the real adapter sent, and the transcript that it left behind: JSON, as a database has it. */
interface LiveRun {
  readonly sent: readonly ModelRequest[];
  readonly transcript: string;
}

/** A tool of the host answers by what it was asked; `broken` always fails. */
function answerOf(name: string, input: unknown): string {
  if (name === 'broken') throw new Error('The disk is full.');
  return `${name} says ${JSON.stringify(input)}`;
}

async function throughAiSdk({ settings, runs, tools }: RandomConversation): Promise<LiveRun> {
  const skillset = skillsetOf(live, settings);
  const host = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        description,
        inputSchema: jsonSchema(inputSchema as JSONSchema7),
        execute: async (input) => answerOf(name, input),
      }),
    ]),
  );
  const model = aiSdkModel(runs.flatMap(({ turns }) => turns));
  const messages: ModelMessage[] = [];
  for (const { user, turns } of runs) {
    // Each request is served by another server, which remembers nothing.
    const skills = await aiSdkSkills(skillset, { tools: host, gate: settings.gate });
    messages.push({ role: 'user', content: user });
    const settingsOfAgent = skills.agentSettings({ instructions: settings.instructions });
    const { responseMessages } = await generateText({ model, messages, stopWhen: isStepCount(turns.length), ...settingsOfAgent });
    messages.push(...responseMessages);
  }
  const transcript = JSON.stringify({ messages, tools, instructions: settings.instructions });
  return { sent: model.calls.map(aiSdkRequest), transcript };
}

async function throughLangChain({ settings, runs, tools }: RandomConversation): Promise<LiveRun> {
  const skillset = skillsetOf(live, settings);
  const host = tools.map(({ name, description, inputSchema }) =>
    tool(async (input: unknown) => answerOf(name, input), { name, description, schema: inputSchema as never }),
  );
  const model = chatModel(runs.flatMap(({ turns }) => turns));
  const agent = createAgent({
    model,
    systemPrompt: settings.instructions,
    checkpointer: new MemorySaver(),
    middleware: [skillsMiddleware(skillset, { tools: host as never, gate: settings.gate })],
  });
  const thread = { configurable: { thread_id: 'live' }, recursionLimit: 200 };
  let state: { readonly messages: readonly unknown[] } = { messages: [] };
  for (const { user } of runs) state = await agent.invoke({ messages: [{ role: 'user', content: user }] }, thread);
  const transcript = JSON.stringify({ messages: state.messages, tools, instructions: settings.instructions });
  return { sent: model.calls.map(({ messages, tools: bound }) => langChainRequest(messages, bound)), transcript };
}

async function throughOpenAiAgents({ settings, runs, tools }: RandomConversation): Promise<LiveRun> {
  const skillset = skillsetOf(live, settings);
  const host = tools.map(({ name, description, inputSchema }) =>
    agentTool({ name, description, parameters: inputSchema as never, strict: false, execute: (input: unknown) => answerOf(name, input) }),
  );
  const model = new ScriptedModel(
    runs
      .flatMap(({ turns }) => turns)
      .map(({ text, toolCalls = [] }, turn) => [
        ...(text === undefined ? [] : [assistantMessage(text, { id: `message-${turn}` })]),
        ...toolCalls.map(({ toolCallId, toolName, input }) =>
          functionCall(toolName, input as Record<string, unknown>, { callId: toolCallId, id: `call-${turn}-${toolCallId}` }),
        ),
      ]),
  );
  let history: AgentInputItem[] = [];
  for (const { user } of runs) {
    // Each request is served by another server, which remembers nothing.
    const skills = openAiAgentsSkills(skillset, { gate: settings.gate });
    const agent = skills.agent({ name: 'live', instructions: settings.instructions, model, tools: host as never });
    const { callModelInputFilter } = skills;
    const runner = new Runner({ tracingDisabled: true, callModelInputFilter });
    const result = await runner.run(agent, [...history, { role: 'user', content: user }], {
      maxTurns: 50,
      context: {},
      toolNotFoundBehavior: 'return_error_to_model',
    });
    history = result.history;
  }
  const transcript = JSON.stringify({ history, tools, instructions: settings.instructions });
  return { sent: model.calls.map(({ request }) => openAiAgentsRequest(request)), transcript };
}

/** Where two lists of texts first differ, short enough to read. */
function firstDifference(replayed: readonly string[], sent: readonly string[]): object | null {
  const request = sent.findIndex((text, index) => text !== replayed[index]);
  const [a = '', b = ''] = [replayed[request], sent[request]];
  const at = [...b].findIndex((character, index) => character !== [...a][index]);
  return request === -1 ? null : { request, replayed: a.slice(at - 100, at + 200), sent: b.slice(at - 100, at + 200) };
}

const through = { 'ai-sdk': throughAiSdk, langchain: throughLangChain, 'openai-agents': throughOpenAiAgents } as const;

describe.each(['ai-sdk', 'langchain', 'openai-agents'] as const)('a conversation through %s', (framework) => {
  const slices = Array.from({ length: perFramework / seedsPerTest }, (_, index) => index * seedsPerTest);

  it('AUT-3: is made of every kind of call and every value of every setting', () => {
    const seeds = Array.from({ length: perFramework }, (_, seed) => randomConversation(seed, framework));
    const used = new Set(
      seeds.flatMap(({ settings, runs }) => [
        ...Object.entries(settings).flatMap(([name, value]) => (name === 'instructions' ? [] : [`${name} ${String(value)}`])),
        ...runs.flatMap(({ turns }) => turns.flatMap(({ toolCalls = [] }) => toolCalls.map(({ toolName }) => toolName))),
        `runs ${runs.length}`,
        ...runs.flatMap(({ turns }) => turns.map(({ toolCalls = [] }) => `calls ${Math.min(2, toolCalls.length)}`)),
      ]),
    );
    const wanted = [
      ...['xml', 'markdown', 'json'].map((value) => `format ${value}`),
      ...['system-prompt', 'tool-only', 'both'].map((value) => `mode ${value}`),
      ...['progressive', 'full'].map((value) => `surface ${value}`),
      ...['refuse', 'hide'].map((value) => `gate ${value}`),
      ...['', 'deploy', 'deploy,search_docs'].map((value) => `gatedTools ${value}`),
      ...[0, 4000].map((value) => `refreshAfter ${value}`),
      ...[150, 300, 600, 8000].map((value) => `maxTokens ${value}`),
      'load_skill',
      'unload_skill',
      'read_skill_file',
      'broken',
      'search_docs',
      'deploy',
      ...[1, 2, 3].map((value) => `runs ${value}`),
      ...[0, 1, 2].map((value) => `calls ${value}`),
    ];
    expect(wanted.filter((each) => !used.has(each))).toEqual([]);
  });

  it.each(slices)('AUT-3: is replayed byte for byte from its transcript and a lock, from seed %i', async (from) => {
    const locked = await lockedExamples();
    let requests = 0;
    let answers = 0;
    for (let seed = from; seed < from + seedsPerTest; seed += 1) {
      const conversation = randomConversation(seed + { 'ai-sdk': 0, langchain: 100_000, 'openai-agents': 200_000 }[framework], framework);
      const { sent, transcript } = await through[framework](conversation);
      const replay = await replayRecording(locked, readRecording(transcript), { settings: conversation.settings });
      const answered = replay.requests.filter(({ turn }) => turn !== null);
      expect(replay.changed, `seed ${seed}: answers`).toEqual([]);
      expect(answered.length, `seed ${seed}: requests`).toBe(sent.length);
      expect(firstDifference(answered.map(requestText), sent.map(requestText)), `seed ${seed}`).toBeNull();
      requests += sent.length;
      answers += replay.compared;
    }
    expect(answers, 'compared answers of skills').toBeGreaterThan(seedsPerTest);
    expect(requests).toBeGreaterThan(seedsPerTest * 2);
  });
});
