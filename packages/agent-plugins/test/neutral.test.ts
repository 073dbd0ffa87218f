import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleForWorkers } from '../../../tools/bundle-for-workers.ts';
import { expect, it } from 'vitest';

it.each(['@repertoire/agent-plugins', '@repertoire/skills-testkit/plugins'])('PLG-1: %s needs nothing of Node.js', async (entry) => {
  const { imports } = await bundleForWorkers(`export * from '${entry}';`, { conditions: ['@repertoire/source'] });
  expect(imports).toEqual([]);
});

it('has an entry point in its manifest for each framework', () => {
  const { exports } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { exports: object };
  expect(Object.keys(exports)).toEqual([
    '.',
    './node',
    './servers',
    './ai-sdk',
    './langchain',
    './openai-agents',
    './internal',
    './package.json',
  ]);
});
