import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createCleanProject } from './clean-project.ts';
import { pnpm } from './package-managers.ts';
import { prepared } from './prepared.ts';
import { temporalDependencies } from './temporal-dependencies.ts';

const files = ['program.mjs', 'temporal-double.mjs', 'workflows.mjs'];

it(
  'FLW-3: on Temporal a replaced worker goes on, finished activities do not run again, and a replay takes the history and no other',
  { timeout: 300_000 },
  async () => {
    const { packages, directory } = prepared();
    const project = await createCleanProject({
      directory: join(directory, 'temporal'),
      manager: pnpm,
      packages: packages.filter(({ path }) => ['skills-core', 'skill-workflow'].includes(basename(path))),
      dependencies: temporalDependencies,
    });
    for (const file of files) await copyFile(join(import.meta.dirname, 'temporal', file), join(project.directory, file));
    const { output } = await project.run('program.mjs');
    const line = output.trim().split('\n').at(-1) ?? '';
    expect(line).toMatch(/^\{/);
    expect(JSON.parse(line)).toEqual({
      server: process.env['TEMPORAL_ADDRESS'] === undefined ? 'double' : 'real',
      sums: [3, 4, 5],
      told: true,
      ran: ['fan/x', 'fan/y', 'fan/y', 'fan/z', 'first'],
      keys: true,
      attempts: 3,
      failure: ['Step "first" of the workflow "sums" failed. No numbers, attempt 3.', 'step-failed'],
      refusal: ['The workflow "sums" needs $.input.b. Pass it in input; null counts as a value.', 'invalid-input'],
      replays: ['accepted', 'DeterminismViolationError'],
    });
  },
);
