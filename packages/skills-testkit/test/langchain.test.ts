import { AIMessage, HumanMessage, SystemMessage, type AIMessageChunk, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { SkillError } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const add = tool(({ a, b }: { a: number; b: number }) => String(a + b), {
  name: 'add',
  description: 'Adds two numbers.',
  schema: z.object({ a: z.number(), b: z.number() }),
});
const addition = [{ text: 'Let me see.', toolCalls: [{ toolName: 'add', input: { a: 1, b: 2 } }] }, { text: 'The sum is 3.' }];

describe('a scripted model for LangChain', () => {
  it('answers through a tool call, and remembers what it was asked and which tools were bound', async () => {
    const model = scriptedModel(addition);
    const bound = model.bindTools([add]);
    const messages: BaseMessage[] = [new SystemMessage('Be brief.'), new HumanMessage('What is 1 + 2?')];
    const first = await bound.invoke(messages);
    expect(first.tool_calls).toEqual([{ type: 'tool_call', id: 'call-1-1', name: 'add', args: { a: 1, b: 2 } }]);
    const results = await Promise.all((first.tool_calls ?? []).map((call) => add.invoke({ ...call, type: 'tool_call' })));
    expect(results).toHaveLength(1);
    const last = await bound.invoke([...messages, first, ...(results as ToolMessage[])]);
    expect(last.text).toBe('The sum is 3.');
    expect(last).toBeInstanceOf(AIMessage);
    expect(
      model.calls.map(({ toolNames, streaming, messages: asked }) => ({ toolNames, streaming, types: asked.map(({ type }) => type) })),
    ).toEqual([
      { toolNames: ['add'], streaming: false, types: ['system', 'human'] },
      { toolNames: ['add'], streaming: false, types: ['system', 'human', 'ai', 'tool'] },
    ]);
    expect(model.calls[0]?.tools).toEqual([add]);
  });

  it('streams word by word, and the pieces add up to the same message', async () => {
    const model = scriptedModel(addition);
    const pieces: string[] = [];
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await model.bindTools([add]).stream('What is 1 + 2?')) {
      if (chunk.text !== '') pieces.push(chunk.text);
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    expect(pieces).toEqual(['Let ', 'me ', 'see.']);
    const invoked = await scriptedModel(addition).bindTools([add]).invoke('What is 1 + 2?');
    expect(whole?.text).toBe(invoked.text);
    expect(whole?.tool_calls).toEqual(invoked.tool_calls);
    expect(whole?.usage_metadata).toMatchObject({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    expect(invoked.usage_metadata).toEqual({ input_tokens: 10, output_tokens: 5, total_tokens: 15 });
    expect(whole?.response_metadata['finish_reason']).toBe('tool_calls');
    expect(model.calls).toMatchObject([{ streaming: true, toolNames: ['add'] }]);
  });

  it('names tools in the shape of OpenAI too, and knows of none where none are bound', async () => {
    const model = scriptedModel(() => ({ text: 'Yes.' }));
    await model.invoke('Hello.');
    await model
      .bindTools([{ type: 'function', function: { name: 'look_up', parameters: {} } }], { tool_choice: 'look_up' })
      .invoke('Hello.');
    expect(model.calls.map(({ toolNames, options }) => [toolNames, options['tool_choice']])).toEqual([
      [[], undefined],
      [['look_up'], 'look_up'],
    ]);
  });

  it('answers by a function of what it reads', async () => {
    const model = scriptedModel(({ messages }, index) => ({ text: `${index}: ${messages.at(-1)?.text}` }));
    expect((await model.invoke('One.')).text).toBe('0: One.');
    expect((await model.invoke('Two.')).text).toBe('1: Two.');
  });

  it('says clearly that its script has run out', async () => {
    const model = scriptedModel([]);
    const error = await model.invoke('Hello.').catch((reason: unknown) => reason);
    expect(SkillError.isInstance(error)).toBe(true);
    expect(String(error)).toContain('called for the 1st time, but its script has 0 turns.');
  });

  it('fails with the error of the script: at once, or after what it streamed', async () => {
    const broken = new Error('Overloaded.');
    await expect(scriptedModel([{ error: broken }]).invoke('Hello.')).rejects.toBe(broken);
    const pieces: string[] = [];
    const stream = await scriptedModel([{ text: 'So far.', error: broken }]).stream('Hello.');
    const reading = (async () => {
      for await (const chunk of stream) pieces.push(chunk.text);
    })();
    await expect(reading).rejects.toBe(broken);
    expect(pieces).toEqual(['So ', 'far.']);
  });

  it('gives up where it is aborted', async () => {
    const model = scriptedModel(() => new Promise<never>(() => undefined));
    const controller = new AbortController();
    const call = model.invoke('Hello.', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});
