import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleForWorkers } from '../../tools/bundle-for-workers.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

const source = join(repositoryRoot, 'packages/bridges/src');

it('BRG-1: no bridge imports a framework, its own or another', () => {
  const imported = globSync('**/*.ts', { cwd: source }).flatMap((file) =>
    Array.from(readFileSync(join(source, file), 'utf8').matchAll(/^(?!\s*\*).*\bfrom '([^.'][^']*)'/gm), ([, name]) => name ?? ''),
  );
  const allowed = /^@repertoire\/skills-core(\/|$)|^node:/;
  expect(imported.filter((name) => !allowed.test(name))).toEqual([]);
  expect(imported.length).toBeGreaterThan(20);
});

it.each(['cloudflare', 'deepagents', 'tanstack', 'openai-sandbox'])('BRG-1: /%s needs nothing of Node', async (entry) => {
  const { imports } = await bundleForWorkers(`export * from '@repertoire/bridges/${entry}';`, { conditions: ['@repertoire/source'] });
  expect(imports).toEqual([]);
});
