import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { describe, expect, it } from 'vitest';
import { aiSdkPlanner } from '../src/ai-sdk-planner.ts';
import { langchainPlanner } from '../src/langchain-planner.ts';

const calls = [
  { toolName: 'get-weather', input: { destination: 'Bergen' } },
  { toolName: 'send-mail', input: { to: 'all' } },
];
const names = ['get-weather', 'search-flights', 'today'];
const bodies = ['Take the cheapest one.', 'Never guess it.', '# Mail'];
const timesIn = (text: string) => bodies.map((body) => text.split(body).length - 1);

describe('the planner', () => {
  it('FMT-5: on the AI SDK, has its two skills in the prompt once, their tools, and no others', async () => {
    const model = scriptedModel([{ toolCalls: calls }, { text: 'Done.' }]);
    const { text } = await (await aiSdkPlanner(model)).generate({ prompt: 'Go.' });
    expect(text).toBe('Done.');
    expect(timesIn(JSON.stringify(model.calls[1]?.prompt))).toEqual([1, 1, 0]);
    expect(model.calls[0]?.tools?.map(({ name }) => name).toSorted()).toEqual(names);
    const answers = JSON.stringify(model.calls[1]?.prompt.at(-1));
    expect(answers).toContain('"sky":"rain"');
    expect(answers).toContain('send-mail');
    expect(answers).not.toContain('No agent of this example may send mail.');
  });

  it('FMT-5: on LangChain, the same', async () => {
    const model = scriptedChatModel([{ toolCalls: calls.slice(0, 1) }, { text: 'Done.' }]);
    const { messages } = await (await langchainPlanner(model)).invoke({ messages: [{ role: 'user', content: 'Go.' }] });
    expect(messages.map(({ type, text }) => [type, text]).slice(-2)).toEqual([
      ['tool', '{"sky":"rain","celsius":9}'],
      ['ai', 'Done.'],
    ]);
    const [first] = model.calls;
    expect(timesIn(first?.messages.map(({ text }) => text).join('\n') ?? '')).toEqual([1, 1, 0]);
    const told = (first?.tools ?? []) as { readonly name?: string; readonly function?: { readonly name: string } }[];
    expect(told.map((tool) => tool.function?.name ?? tool.name).toSorted()).toEqual(names);
  });
});
