import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isTried } from '../../test/support/property-runs.ts';
import { createCleanProject, type CleanProject } from './clean-project.ts';
import { pnpm } from './package-managers.ts';
import { prepared } from './prepared.ts';
import { temporalDependencies } from './temporal-dependencies.ts';

const ours = ['skills-core', 'skill-mcp', 'skill-workflow', 'skills-testkit', 'adapter-vercel-ai'];
const server = process.env['TEMPORAL_ADDRESS'] === undefined ? 'double' : 'real';

describe('on Temporal, with its real client and its real native worker', () => {
  let project: CleanProject;
  beforeAll(async () => {
    const { packages, directory } = prepared();
    project = await createCleanProject({
      directory: join(directory, 'temporal'),
      manager: pnpm,
      packages: packages.filter(({ path }) => ours.includes(basename(path))),
      dependencies: {
        ...temporalDependencies,
        ai: '7.0.173',
        '@ai-sdk/provider': '^4.0.0',
        zod: '^4.0.0',
        'web-streams-polyfill': '4.3.0',
        'headers-polyfill': '4.0.3',
      },
    });
    await cp(join(import.meta.dirname, 'temporal'), project.directory, { recursive: true });
    await cp(join(import.meta.dirname, '../parity'), join(project.directory, 'parity'), { recursive: true });
    for (const name of ['journal.ts', 'rule-workflow.ts'])
      await cp(join(import.meta.dirname, '../durable', name), join(project.directory, 'durable', name));
  });

  /** The last line that a program prints. */
  async function toldBy(...command: readonly string[]): Promise<unknown> {
    const { output } = await project.runCommand(['node', ...command]);
    expect(output).toContain('{"server"');
    return JSON.parse(output.trim().split('\n').at(-1) ?? '');
  }

  it('FLW-3 FLW-6: a replaced worker goes on, finished activities do not run again, and an attempt that takes too long is canceled, and a replay takes the history and no other', async () => {
    expect(await toldBy('program.mjs')).toEqual({
      server,
      sums: [3, 4, 5],
      told: true,
      ran: ['fan/x', 'fan/y', 'fan/y', 'fan/z', 'first'],
      keys: true,
      attempts: 3,
      failure: ['Step "first" of the workflow "sums" failed. No numbers, attempt 3.', 'step-failed'],
      refusal: ['The workflow "sums" needs $.input.b. Pass it in input; null counts as a value.', 'invalid-input'],
      rules: {
        output: ['A', 'B'],
        // Each payment needs a second attempt of its step; `pay/1` was cut in it.
        ran: ['ask', 'pay/0', 'pay/0', 'pay/0', 'pay/0', 'pay/1', 'pay/1', 'pay/1', 'pay/1', 'pay/1'],
        no: ['Step "ask" of the workflow "rules" failed. A person said no.', 'step-failed'],
        late: 'Step "pay" of the workflow "rules" failed. 0: No answer within 1 ms. Raise policy.timeoutMs, or make the tool faster.',
      },
      // Each of two attempts took longer than its `timeout_ms`.
      cancellations: 2,
      canceled: true,
      replays: ['accepted', 'accepted', 'DeterminismViolationError'],
    });
  });

  it('FLW-5 ADP-6: agents in the loop of the core and of the AI SDK end as if nothing had been when their worker is replaced in each activity; in the sandbox, the model is given the bytes of a plain loop', async () => {
    const result = {
      text: 'Refunded.',
      loaded: ['refunds'],
      answers: [
        expect.stringContaining('Error (not-loaded)'),
        expect.stringContaining('First charge, then mail.'),
        'charge ok',
        'mail ok',
        expect.stringContaining('Policy: größer als null.'),
        'TypeError: No seats.',
      ],
    };
    const isAll = isTried({ last: 1, size: 2 });
    expect(await toldBy('agents.mjs', ...(isAll ? ['all'] : [])), 'S3-38').toEqual({
      server,
      agents: {
        runs: isAll ? 20 : 10,
        results: [result, result],
        // In each turn, one and the same prompt.
        turns: [
          [1, 1, 1, 1],
          [1, 1, 1, 1],
        ],
        effects: [
          [':2-charge', ':2-mail'],
          [':2-charge', ':2-mail'],
        ],
        activities: [13, 13],
        wrong: [],
        replays: ['accepted', 'DeterminismViolationError'],
      },
      // 30, 30 and 13 calls of the model in the three variants, in one loop or in two.
      parity: { calls: isAll ? 146 : 73, wrong: [] },
    });
  });
});
