import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../tools/workspace.ts';
import { toolVersions } from './tool-versions.ts';

const page = readFileSync(join(repositoryRoot, 'docs/reference/platforms.md'), 'utf8');

it('docs/reference/platforms.md names the versions that the tests run', () => {
  const { catalog } = parse(readFileSync(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8')) as { catalog: Record<string, string> };
  const versions = [...Object.values(toolVersions), catalog['node'] ?? '', catalog['pnpm'] ?? ''];
  expect(versions.filter((version) => !page.includes(version))).toEqual([]);
});
