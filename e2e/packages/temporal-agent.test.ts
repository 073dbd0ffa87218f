import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { createCleanProject } from './clean-project.ts';
import { pnpm } from './package-managers.ts';
import { prepared } from './prepared.ts';
import { temporalDependencies } from './temporal-dependencies.ts';

const files = ['agent-program.mjs', 'agent-workflows.mjs', 'polyfills.mjs', 'temporal-double.mjs'];
const ours = ['skills-core', 'skill-workflow', 'skills-testkit', 'adapter-vercel-ai'];

it(
  'FLW-5: agents on Temporal, in the loop of the core and of the AI SDK: their worker is replaced in each activity, and they end as if nothing had been; replays are accepted',
  { timeout: 300_000 },
  async () => {
    const { packages, directory } = prepared();
    const project = await createCleanProject({
      directory: join(directory, 'temporal-agent'),
      manager: pnpm,
      packages: packages.filter(({ path }) => ours.includes(basename(path))),
      dependencies: { ...temporalDependencies, ai: '7.0.173', '@ai-sdk/provider': '^4.0.0', zod: '^4.0.0', 'web-streams-polyfill': '4.3.0', 'headers-polyfill': '4.0.3' },
    });
    for (const file of files) await copyFile(join(import.meta.dirname, 'temporal', file), join(project.directory, file));
    const { output } = await project.run('agent-program.mjs');
    const line = output.trim().split('\n').at(-1) ?? '';
    expect(output).toContain('{"server"');
    const told = JSON.parse(line) as { readonly results: readonly unknown[]; readonly turns: unknown; readonly runs: number };
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
    expect(told).toEqual({
      server: process.env['TEMPORAL_ADDRESS'] === undefined ? 'double' : 'real',
      runs: 22,
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
    });
  },
);
