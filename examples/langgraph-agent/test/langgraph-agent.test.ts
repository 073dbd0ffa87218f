import { expect, it } from 'vitest';
import { runPlanExecute } from '../src/plan-execute.ts';
import { runSupportAgent } from '../src/support-agent.ts';

it.each([
  { example: 'the agent of createAgent', promise: 'ADP-1', run: runSupportAgent },
  { example: 'the graph that plans and executes', promise: 'ADP-2', run: runPlanExecute },
])('$promise: $example does what it says', async ({ run }) => {
  const lines: string[] = [];
  await run((line) => lines.push(line));
  expect(lines[0]).toMatch(/^human: /);
});
