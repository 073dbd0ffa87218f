import { expect, it } from 'vitest';
import { fileSystemSettings } from '../src/file-system-skill-provider-options.ts';

it('SRC-1: has the limits and times that docs/sources/file-system.md and SECURITY.md state', () => {
  expect(fileSystemSettings({ roots: [] })).toMatchObject({
    staleAfterMs: 1_000,
    limits: {
      depth: 6,
      directories: 100_000,
      skills: 20_000,
      frontmatterBytes: 16 * 1024,
      skillBytes: 16 * 1024 * 1024,
      resources: 2_000,
      resourceBytes: 64 * 1024 * 1024,
    },
    watch: { debounceMs: 100, pollMs: 2_000 },
  });
});
