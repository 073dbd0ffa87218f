import { runPlanExecute } from './plan-execute.ts';

await runPlanExecute((line) => console.log(line));
console.log('The graph did what it was to do.');
