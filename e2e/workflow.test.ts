import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWorkflow } from '@repertoire/skill-workflow';
import { ownWranglerFolder, type OwnWranglerFolder } from './own-wrangler-folder.ts';
import type { RunningWorker } from './wrangler-dev.ts';

const folder = join(import.meta.dirname, 'workflow');
let own: OwnWranglerFolder;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  own = await ownWranglerFolder(folder);
});
afterAll(async () => {
  await worker?.kill();
  await own[Symbol.asyncDispose]();
});

const start = async (variables: Readonly<Record<string, string>> = {}): Promise<void> => {
  worker = await own.start({ variables });
};
const ask = async <Answer>(path: string): Promise<Answer> => (await (await fetch(`${worker?.url}${path}`)).json()) as Answer;
const send = async (path: string): Promise<void> => {
  const response = await fetch(`${worker?.url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}\n${worker?.output()}`);
};
/** Asks until the answer is right; the test's own limit ends it. */
async function askUntil<Answer>(path: string, isRight: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask<Answer>(path);
    if (isRight(answer)) return answer;
    await later(50);
  }
}
interface Status {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: { readonly message: string };
}

describe('a workflow skill as a Cloudflare Workflow, in workerd', () => {
  it('FLW-3, FLW-7: killed by SIGKILL in a branch, alone and in an agent, and started again with another edition of the skill: the branch that ran, runs again, with the same key; nothing else does', async () => {
    await start({ HOLD: 'fan/y' });
    await send('/start?id=kills');
    await send('/start?id=agent&agent');
    for (const id of ['kills', 'agent']) await askUntil<string[]>(`/ledger?id=${id}`, (calls) => calls.length === 4);
    await worker?.kill();

    await start({ EDITION: 'new' });
    const sums = { x: { sum: 3 }, y: { sum: 4 }, z: { sum: 5 } };
    for (const [id, prefix] of [
      ['kills', 'kills:'],
      ['agent', 'agent:k:'],
    ] as const) {
      // After a kill inside a step, the local runtime waits for something to happen to the instance.
      await send(`/wake?id=${id}`);
      const { output } = await askUntil<Status>(`/status?id=${id}`, ({ status }) => status === 'complete' || status === 'errored');
      const told = expect.stringMatching(/^Tell the sums. old/);
      expect(output).toEqual(
        id === 'agent' ? told : { output: told, steps: { first: { output: { sum: 3 } }, fan: { output: sums }, tell: { output: told } } },
      );
      expect((await ask<string[]>(`/ledger?id=${id}`)).toSorted()).toEqual(
        ['fan/x', 'fan/y', 'fan/y', 'fan/z', 'first', 'tell'].map((call) => `${prefix}${call}`),
      );
    }
  });

  it('FLW-6: for_each, when, retry, timeout_ms and approve run, each under an id of its own', async () => {
    const steps = [
      { name: 'ask', approve: 'Pay?' },
      { name: 'skipped', tool: 'busy', when: '$.input.no' },
      {
        name: 'pay',
        tool: 'busy',
        for_each: '$.input.orders',
        input: { order: '$.item' },
        retry: { attempts: 2, delay_ms: 0 },
        timeout_ms: 60_000,
      },
    ];
    const workflow = parseWorkflow({ name: 'rules', steps }, { tools: ['busy'], allowUntrusted: true });
    const body = JSON.stringify({ workflow, input: { orders: ['A', 'B'], no: false } });
    expect((await fetch(`${worker?.url}/start?id=rules`, { method: 'POST', body })).ok).toBe(true);
    const { status, output } = await askUntil<Status>('/status?id=rules', (told) => ['complete', 'errored'].includes(told.status));
    expect([status, output]).toMatchObject(['complete', { output: ['A', 'B'] }]);
    expect((await ask<string[]>('/ledger?id=rules')).toSorted()).toEqual([
      'rules:ask',
      'rules:pay/0',
      'rules:pay/0',
      'rules:pay/1',
      'rules:pay/1',
    ]);
  });

  it('FLW-1: a step that fails is tried once and fails the instance, with its name', async () => {
    await send('/start?id=fails&a=broken');
    const { status, error } = await askUntil<Status>(
      '/status?id=fails',
      (answer) => answer.status === 'complete' || answer.status === 'errored',
    );
    expect([status, error?.message]).toEqual(['errored', 'SkillError: Step "first" of the workflow "sums" failed. No numbers.']);
  });
});
