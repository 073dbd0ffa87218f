import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { available, kinds } from './support/confinements.ts';

const program = path.join(import.meta.dirname, 'support/inherited-descriptors.mjs');
/** Node closes low descriptors of its own children, and none of these. */
const places = [27, 28, 29, 251];

/** What a script sees of the descriptors that its host inherited: a folder, and files to read and to write. */
async function look(confinement: string, script: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'repertoire-descriptors-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const secret = path.join(folder, 'secret');
  const target = path.join(folder, 'target');
  writeFileSync(secret, 'SECRET', { mode: 0o600 });
  writeFileSync(target, 'as it was');
  const open = [openSync('/', 'r'), openSync(target, 'r+'), openSync(secret, 'r'), openSync(secret, 'r')];
  const stdio: ('ignore' | 'pipe' | number)[] = Array.from({ length: 252 }, () => 'ignore');
  stdio[1] = 'pipe';
  stdio[2] = 'pipe';
  for (const [index, place] of places.entries()) stdio[place] = open[index] ?? 'ignore';
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', program, confinement, script], { stdio });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The program has no pipes.');
  const [out, error] = await Promise.all([text(stdout), text(stderr)]);
  for (const each of open) closeSync(each);
  expect(out, error).not.toBe('');
  return {
    ...(JSON.parse(out) as { stdout: string; stderr: string; exitCode: number; holds: string[] }),
    target: readFileSync(target, 'utf8'),
  };
}

describe.skipIf(process.platform !== 'linux')('SRC-10: descriptors that the host inherited', () => {
  it.for(kinds)('SRC-10: none of them reaches a script: %s (ATK-270)', async (confinement, context) => {
    context.skip(!available.has(confinement), `${confinement} does not work on this machine`);
    const script = `#!/bin/sh
for place in ${places.join(' ')}; do
  if [ -e "/proc/self/fd/$place" ]; then echo "open $place"; fi
done
cat /proc/self/fd/29 2>/dev/null
echo changed > /proc/self/fd/28 2>/dev/null
ls /proc/self/fd/27/ 2>/dev/null | head -3
echo done
`;
    const found = await look(confinement, script);
    expect(found).toMatchObject({ stdout: 'done\n', exitCode: 0, target: 'as it was' });
    if (confinement !== 'none') expect(found.holds).toEqual(expect.arrayContaining(['host-reads', 'host-writes', 'network']));
  });
});
