import { copyFile, cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createCleanProject, type CleanProject } from './clean-project.ts';
import { pnpm } from './package-managers.ts';
import { prepared } from './prepared.ts';
import { temporalDependencies } from './temporal-dependencies.ts';

const files = [
  'agent-program.mjs',
  'agent-workflows.mjs',
  'parity-program.mjs',
  'parity-workflows.mjs',
  'polyfills.mjs',
  'temporal-double.mjs',
];
const server = process.env['TEMPORAL_ADDRESS'] === undefined ? 'double' : 'real';
const ours = ['skills-core', 'skill-workflow', 'skills-testkit', 'adapter-vercel-ai'];

let project: CleanProject;
beforeAll(async () => {
  const { packages, directory } = prepared();
  project = await createCleanProject({
    directory: join(directory, 'temporal-agent'),
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
  for (const file of files) await copyFile(join(import.meta.dirname, 'temporal', file), join(project.directory, file));
  await cp(join(import.meta.dirname, '../parity'), join(project.directory, 'parity'), { recursive: true });
  await cp(join(import.meta.dirname, '../durable/journal.ts'), join(project.directory, 'durable/journal.ts'));
}, 300_000);

/** The last line that a program prints. */
async function toldBy(program: string): Promise<unknown> {
  const { output } = await project.run(program);
  expect(output).toContain('{"server"');
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

it(
  'FLW-5: agents on Temporal, in the loop of the core and of the AI SDK: their worker is replaced in each activity, and they end as if nothing had been; replays are accepted',
  { timeout: 300_000 },
  async () => {
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
    expect(await toldBy('agent-program.mjs')).toEqual({
      server,
      runs: 20,
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

it(
  'ADP-6 FLW-5: in Temporal’s sandbox, both loops give the model the bytes that a plain loop gives it, in the same states',
  { timeout: 300_000 },
  async () => {
    // Two loops, two variants, and 30 calls of the model in each.
    expect(await toldBy('parity-program.mjs')).toEqual({ server, calls: 120, wrong: [] });
  },
);
