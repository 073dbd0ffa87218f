import { ChatOpenAI } from '@langchain/openai';
import { runAgents } from './run-agents.ts';

// With a key, a real model runs them too.
const key = process.env['OPENAI_API_KEY'];
await runAgents((line) => console.log(line));
if (key !== undefined) await runAgents((line) => console.log(line), new ChatOpenAI({ model: 'gpt-5-mini', apiKey: key }));
console.log('The agents did what they were to do.');
