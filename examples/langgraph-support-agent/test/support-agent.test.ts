import { expect, it } from 'vitest';
import { runSupportAgent } from '../src/support-agent.ts';

it('ADP-1: the agent of createAgent does what it says', async () => {
  const lines: string[] = [];
  await runSupportAgent((line) => lines.push(line));
  expect(lines[0]).toMatch(/^human: /);
});
