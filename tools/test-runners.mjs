/**
 * `node tools/test-runners.mjs [vitest's arguments]`: the attacks on `processRunner`, as an ordinary user and, where this is started by root, as root too, since a host
 * that is root confines in another way. It prints which programs for confinement are there; without one, tests say why they are skipped.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const ordinaryUser = 1_234;

for (const [program, source] of [
  ['bwrap', 'install the package bubblewrap'],
  ['unshare', 'install util-linux'],
  ['setpriv', 'install util-linux'],
]) {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  console.log(status === 0 ? stdout.trim() : `${program} is not here, so what needs it is skipped: ${source}.`);
}

const files = globSync('packages/skill-runner/test/{process-*,project}.test.ts', { cwd: root });
const home = mkdtempSync(join(tmpdir(), 'test-runners-'));
chmodSync(home, 0o777);
const isRoot = process.getuid?.() === 0;
const users = isRoot ? [{}, { uid: ordinaryUser, gid: ordinaryUser }] : [{}];
try {
  for (const user of users) {
    console.log(user.uid === undefined && isRoot ? 'As root:' : 'As an ordinary user:');
    // The loader of Vite writes beside the configuration, where another user may not write.
    const argv = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--configLoader', 'native', ...files, ...process.argv.slice(2)];
    const environment = user.uid === undefined ? process.env : { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home };
    const { status, error } = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit', env: environment, ...user });
    if (error !== undefined)
      console.error(`It could not be started: ${error.message}. The checkout and Node.js must be readable for every user.`);
    process.exitCode ||= status ?? 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
