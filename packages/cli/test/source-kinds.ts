import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'vitest';
import { zipOf } from '../../skill-http/test/support/archives.ts';
import { runCli } from './run-cli.ts';
import { serving } from './serving.ts';
import type { TemporaryFolder } from './temporary-folder.ts';

/** The skills of `skills` as every other kind of source, as a person writes them: archives, storage, a site, and an MCP server. */
export async function sourceKinds(folder: TemporaryFolder, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await folder.write({ 'all.zip': zipOf(files) });
  execFileSync('tar', ['-czf', folder.at('all.tar.gz'), '-C', folder.path, 'skills']);
  expect(await runCli(folder.path, ['publish', 'skills', '--to', './store'])).toMatchObject({ code: 0 });
  const [site, mcp] = await Promise.all([serving(folder.path, 'skills', '--http'), serving(folder.path, 'skills', '--mcp', 'http')]);
  return ['all.zip', 'all.tar.gz', 'store:./store', site.url, `mcp+${mcp.url}`];
}

/** The same as an MCP server that each command starts. */
export function startedSource(): string {
  const main = path.join(import.meta.dirname, '../src/main.ts');
  return `mcp+stdio:'${process.execPath}' --conditions=@repertoire/source "${main}" serve skills --mcp stdio`;
}
