import { runSupportAgent } from './support-agent.ts';

await runSupportAgent((line) => console.log(line));
console.log('The agent did what it was to do.');
