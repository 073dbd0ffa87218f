import { expect, it } from 'vitest';
import { runAgents } from '../src/run-agents.ts';

it('DEC-1: both files do what they say: discover, load, execute; and find, load, plan', async () => {
  const lines: string[] = [];
  await runAgents((line) => lines.push(line));
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['discover:', 'plan:']);
});
