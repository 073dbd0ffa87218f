import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { aiSdkPlanner } from './ai-sdk-planner.ts';
import { langchainPlanner } from './langchain-planner.ts';

const request = 'I want to go to Bergen. What does it cost, and what do I pack?';
const turns = [
  { toolCalls: ['get-weather', 'search-flights'].map((toolName) => ({ toolName, input: { destination: 'Bergen' } })) },
  { text: 'SK 4 for 129 euros; it rains at 9 °C, so pack a raincoat.' },
];

// A script stands in for a language model, so that the example runs without a key.
const model = scriptedModel(turns);
const { text } = await (await aiSdkPlanner(model)).generate({ prompt: request });
const [first] = model.calls;
console.log(`The prompt of the planner\n\n${String(first?.prompt[0]?.content)}\n`);
console.log(`Its tools: ${(first?.tools ?? []).map(({ name }) => name).join(', ')}\n`);
console.log(`AI SDK:    ${text}`);

const planner = await langchainPlanner(scriptedChatModel(turns));
const { messages } = await planner.invoke({ messages: [{ role: 'user', content: request }] });
console.log(`LangChain: ${messages.at(-1)?.text}`);
