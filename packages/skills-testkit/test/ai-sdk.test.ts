import { SkillError } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { generateText, isStepCount, streamText, tool, ToolLoopAgent } from 'ai';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const tools = {
  add: tool({
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => ({ sum: a + b }),
  }),
};
const addition = [{ text: 'Let me see.', toolCalls: [{ toolName: 'add', input: { a: 1, b: 2 } }] }, { text: 'The sum is 3.' }];

describe('a scripted model for the AI SDK', () => {
  it('runs generateText through a tool call, and remembers what it was asked', async () => {
    const model = scriptedModel(addition);
    const result = await generateText({ model, tools, instructions: 'Be brief.', prompt: 'What is 1 + 2?', stopWhen: isStepCount(5) });
    expect(result.text).toBe('The sum is 3.');
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(result.steps[0]?.toolResults).toMatchObject([{ toolCallId: 'call-1-1', toolName: 'add', output: { sum: 3 } }]);
    expect(model.calls.map(({ method }) => method)).toEqual(['doGenerate', 'doGenerate']);
    expect(model.calls[0]?.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(model.calls[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(model.calls[1]?.tools?.map(({ name }) => name)).toEqual(['add']);
  });

  it('runs streamText, word by word', async () => {
    const model = scriptedModel(addition);
    const result = streamText({ model, tools, prompt: 'What is 1 + 2?', stopWhen: isStepCount(5) });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces).toEqual(['Let ', 'me ', 'see.', 'The ', 'sum ', 'is ', '3.']);
    expect((await result.steps).map(({ toolCalls }) => toolCalls.map(({ toolCallId, input }) => [toolCallId, input]))).toEqual([
      [['call-1-1', { a: 1, b: 2 }]],
      [],
    ]);
    expect(model.calls.map(({ method }) => method)).toEqual(['doStream', 'doStream']);
  });

  it('runs a ToolLoopAgent', async () => {
    const model = scriptedModel(addition);
    const agent = new ToolLoopAgent({ model, tools });
    expect((await agent.generate({ prompt: 'What is 1 + 2?' })).text).toBe('The sum is 3.');
  });

  it('answers by a function of what it reads', async () => {
    const model = scriptedModel(({ prompt }, index) => ({ text: `${index}: ${prompt.length} messages` }));
    expect((await generateText({ model, prompt: 'One.' })).text).toBe('0: 1 messages');
    expect((await generateText({ model, instructions: 'Be brief.', prompt: 'Two.' })).text).toBe('1: 2 messages');
  });

  it('calls several tools at once, under ids of its own or of the script', async () => {
    const model = scriptedModel([
      {
        toolCalls: [
          { toolName: 'add', input: { a: 1, b: 1 } },
          { toolName: 'add', input: { a: 2, b: 2 }, toolCallId: 'second' },
        ],
      },
    ]);
    const { toolCalls } = await generateText({ model, tools, prompt: 'Add.', stopWhen: isStepCount(1) });
    expect(toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(['call-1-1', 'second']);
  });

  it('says clearly that its script has run out', async () => {
    const model = scriptedModel([{ text: 'Once.' }]);
    await generateText({ model, prompt: 'First.' });
    const error = await generateText({ model, prompt: 'Second.' }).catch((reason: unknown) => reason);
    expect(SkillError.isInstance(error)).toBe(true);
    expect(String(error)).toContain('called for the 2nd time, but its script has 1 turn.');
    expect(model.calls).toHaveLength(2);
  });

  it('fails with the error of the script: at once, or in the middle of a stream', async () => {
    const broken = new Error('Overloaded.');
    await expect(generateText({ model: scriptedModel([{ error: broken }]), prompt: 'Hello.', maxRetries: 0 })).rejects.toThrow(
      'Overloaded.',
    );
    const errors: unknown[] = [];
    const result = streamText({
      model: scriptedModel([{ text: 'So far.', error: broken }]),
      prompt: 'Hello.',
      onError: ({ error }) => void errors.push(error),
    });
    const types: string[] = [];
    for await (const part of result.stream) types.push(part.type);
    expect(types).toContain('text-delta');
    expect(types).toContain('error');
    expect(errors).toEqual([broken]);
  });

  it('tells the finish reason of the script', async () => {
    const model = scriptedModel([{ text: 'Too long to', finishReason: 'length' }]);
    expect((await generateText({ model, prompt: 'Go on.' })).finishReason).toBe('length');
  });

  it('gives up with the reason of an abort, before and during a call', async () => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello.' }] }];
    const model = scriptedModel(() => new Promise<never>(() => undefined));
    await expect(model.doGenerate({ prompt, abortSignal: AbortSignal.abort('too late') })).rejects.toBe('too late');
    expect(model.calls).toEqual([]);
    const controller = new AbortController();
    const call = model.doGenerate({ prompt, abortSignal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
  });
});
