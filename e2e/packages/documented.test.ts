import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../tools/workspace.ts';
import { neededPeers } from './needed-peers.ts';
import { toolVersions } from './tool-versions.ts';
import { workerSupport } from './worker-support.ts';

const page = readFileSync(join(repositoryRoot, 'docs/reference/platforms.md'), 'utf8');

it('docs/reference/platforms.md names every entry point, whether it runs on Workers, and the peer that it needs', () => {
  const rows = [...page.matchAll(/^\| `(?<entry>@repertoire\/[^`]+)` \| (?<workers>[^|]+) \| (?:`(?<peer>[^`]+)`)?/gm)].map(
    ({ groups }) => groups,
  );
  expect(Object.fromEntries(rows.map((row) => [row?.['entry'], row?.['workers']]))).toEqual(workerSupport);
  expect(Object.fromEntries(rows.flatMap((row) => (row?.['peer'] === undefined ? [] : [[row['entry'], row['peer']]])))).toEqual(
    neededPeers,
  );
});

it('docs/reference/platforms.md names the versions that the tests run', () => {
  const { catalog } = parse(readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8')) as { catalog: Record<string, string> };
  const versions = [...Object.values(toolVersions), catalog['node'] ?? '', catalog['pnpm'] ?? ''];
  expect(versions.filter((version) => !page.includes(version))).toEqual([]);
});
