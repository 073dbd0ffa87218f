import { expect, it } from 'vitest';
import { killRuns } from './durable/workflow-kills.ts';
import { kinds } from './durable/workflow-kill-runs.ts';

it('FLW-3 FLW-7: workflow skills that change whenever their process is killed, alone and in agents, on a journal, LangGraph, LangChain and DBOS: each run belongs to the edition that it began with, no recorded call runs again, and no key is shared', async () => {
  // `node e2e/durable/workflow-kills.ts 1000` runs as many as wanted, on Restate too.
  const local = kinds.filter((kind) => !kind.startsWith('Restate'));
  const { runs, acts, problems } = await killRuns(local, 3 * local.length, 1);
  expect(problems).toEqual([]);
  expect([runs, acts > 3 * runs]).toEqual([24, true]);
});
