import { expect, it } from 'vitest';
import { runPlanExecute } from '../src/plan-execute.ts';

it('ADP-2: the graph that finds, loads, plans and executes does what it says', async () => {
  const lines: string[] = [];
  await runPlanExecute((line) => lines.push(line));
  expect(lines[0], 'S0-48').toMatch(/^human: /);
});
