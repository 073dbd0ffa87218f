import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { scriptedModel as aiSdkModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as chatModel } from '@repertoire/skills-testkit/langchain';
import { MemorySaver } from '@langchain/langgraph';
import { tool } from '@langchain/core/tools';
import { generateText, isStepCount, jsonSchema, dynamicTool, type JSONSchema7, type ModelMessage } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { readRecording, replayRecording } from '@repertoire/inspector';
import { skillsetOf } from '../src/prompt/prompt-settings.ts';
import { aiSdkRequest } from '../src/frameworks/ai-sdk.ts';
import { langChainRequest } from '../src/frameworks/langchain.ts';
import { requestText, type ModelRequest } from '../src/frameworks/model-request.ts';
import { randomConversation, type RandomConversation } from './support/random-conversation.ts';
import { exampleSkills, lockedExamples } from './support/library.ts';

const live = exampleSkills();

/** Half of a thousand through each adapter; all of them begin with another seed. */
const perFramework = 500;
/** Many in one test, so that a failure names its seed and the rest still runs in slices. */
const seedsPerTest = 125;

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

/** Where two lists of texts first differ, short enough to read. */
function firstDifference(replayed: readonly string[], sent: readonly string[]): object | null {
  const request = sent.findIndex((text, index) => text !== replayed[index]);
  const [a = '', b = ''] = [replayed[request], sent[request]];
  const at = [...b].findIndex((character, index) => character !== [...a][index]);
  return request === -1 ? null : { request, replayed: a.slice(at - 100, at + 200), sent: b.slice(at - 100, at + 200) };
}

const through = { 'ai-sdk': throughAiSdk, langchain: throughLangChain } as const;

describe.each(['ai-sdk', 'langchain'] as const)('a conversation through %s', (framework) => {
  const slices = Array.from({ length: perFramework / seedsPerTest }, (_, index) => index * seedsPerTest);

  it.each(slices)('AUT-3: is replayed byte for byte from its transcript and a lock, from seed %i', { timeout: 120_000 }, async (from) => {
    const locked = await lockedExamples();
    let requests = 0;
    for (let seed = from; seed < from + seedsPerTest; seed += 1) {
      const conversation = randomConversation(framework === 'langchain' ? seed + 100_000 : seed, framework);
      const { sent, transcript } = await through[framework](conversation);
      const { requests: replayed, changed } = await replayRecording(locked, readRecording(transcript), { settings: conversation.settings });
      const answered = replayed.filter(({ turn }) => turn !== null);
      expect(changed, `seed ${seed}: answers`).toEqual([]);
      expect(answered.length, `seed ${seed}: requests`).toBe(sent.length);
      expect(firstDifference(answered.map(requestText), sent.map(requestText)), `seed ${seed}`).toBeNull();
      requests += sent.length;
    }
    expect(requests).toBeGreaterThan(seedsPerTest * 2);
  });
});
