import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cliOptionsPage } from './cli-page.ts';

it('AUT-1: docs/reference/cli-options.md has every option of every command', async () => {
  const page = readFileSync(new URL('../../../docs/reference/cli-options.md', import.meta.url), 'utf8');
  expect(page, 'Run: node --conditions=@repertoire/source packages/cli/test/cli-page.ts').toBe(await cliOptionsPage());
  expect(page.split('\n').filter((line) => line.startsWith('| `-')).length).toBeGreaterThan(100);
});
