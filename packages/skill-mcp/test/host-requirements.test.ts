import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

it('SRC-6: every MUST for hosts that the documentation names is cited by a test, and no other', () => {
  const documented = [...read('../../../docs/reference/mcp-hosts.md').matchAll(/^\| `(host\/[a-z]+)` \|/gm)].map(([, id]) => id);
  const cited = [...`${read('verification.test.ts')}${read('pinned.test.ts')}`.matchAll(/host\/[a-z]+/g)].map(([id]) => id);
  expect(documented.length).toBeGreaterThan(8);
  expect([...new Set(cited)].toSorted()).toEqual(documented.toSorted());
});
