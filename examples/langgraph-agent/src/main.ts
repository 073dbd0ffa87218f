import { runPlanExecute } from './plan-execute.ts';
import { runSupportAgent } from './support-agent.ts';

const tell = (line: string): void => console.log(`  ${line}`);

console.log('An agent of createAgent:');
await runSupportAgent(tell);
console.log('A graph that finds, loads, plans and executes:');
await runPlanExecute(tell);
console.log('Both did what they were to do.');
