/**
 * `node tools/test-packages.mjs [vitest's arguments]`: the tests of the packages on the Node that starts this, which need not be the one that the lockfile pins. A script of
 * pnpm would find the pinned one first.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'packages', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
