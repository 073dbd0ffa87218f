import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Skill } from '@repertoire/skills-core';
import { skillDigest } from '@repertoire/skills-core/provider';
import { expect, it, onTestFinished } from 'vitest';
import { cloudflareRunner } from '../src/cloudflare-runner.ts';

const files = {
  'SKILL.md': bytesOf('---\nname: echo\ndescription: Echoes.\n---\n'),
  'scripts/echo.sh': bytesOf('printf "%s|" "$@"; cat; pwd'),
};
const skill: Skill = { name: 'echo', description: 'Echoes.', version: null, body: '', resources: [], diagnostics: [] };

it('SRC-10: runs a script in a fresh sandbox, with arguments that no shell reads', async () => {
  const { runner, folder, isDestroyed } = await localRunner();
  const digest = await skillDigest(files);
  const request = { skill, files, digest, script: 'scripts/echo.sh', arguments: ["it's", '$(exit 3); rm -rf .'], stdin: 'in ' };
  const result = await runner.run(request);
  expect(result).toMatchObject({ exitCode: 0, stdout: `it's|$(exit 3); rm -rf .|in ${folder}/skill\n`, truncated: false });
  expect(isDestroyed()).toBe(true);
});

it('SRC-10: refuses other files than were approved, and arguments that a shell line cannot hold', async () => {
  const { runner } = await localRunner();
  const request = { skill, files, digest: '0'.repeat(64), script: 'scripts/echo.sh' };
  await expect(runner.run(request)).rejects.toMatchObject({ code: 'digest-mismatch' });
  const digest = await skillDigest(files);
  await expect(runner.run({ ...request, digest, arguments: ['a\0b'] })).rejects.toMatchObject({ code: 'invalid-input' });
});

/** The runner over a folder of this machine in the place of a container. */
async function localRunner() {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const here = (text: string): string => text.replaceAll('/workspace', folder);
  let isDestroyed = false;
  const runner = cloudflareRunner(() => ({
    mkdir: (path, options) => mkdir(here(path), options),
    writeFile: (path, content) => writeFile(here(path), content, 'base64'),
    exec: (command, { cwd }) =>
      new Promise((resolve) => {
        execFile('sh', ['-c', here(command)], { cwd: here(cwd) }, (error, stdout, stderr) =>
          resolve({ exitCode: error === null ? 0 : 1, stdout, stderr, duration: 1 }),
        );
      }),
    destroy: async () => {
      isDestroyed = true;
    },
  }));
  return { runner, folder, isDestroyed: () => isDestroyed };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
