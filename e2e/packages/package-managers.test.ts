import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCleanProject } from './clean-project.ts';
import { loadableEntryPoints } from './entry-points.ts';
import { installedPeers } from './installed-peers.ts';
import { jsonOf } from './json-of.ts';
import { packageManagers, type PackageManager } from './package-managers.ts';
import { prepared } from './prepared.ts';
import { answersOf, runtimePrograms, writePrograms, writeSkills } from './programs.ts';
import { isEveryToolTried, toolVersions } from './tool-versions.ts';

/**
 * Left out to save time: what tests run on, and what one entry point alone needs and weighs as much as all others together. The project of the other tests, which
 * pnpm installs, has all of it.
 */
const leftOut = {
  peers: ['vitest', '@langchain/mcp-adapters', 'just-bash', '@electric-sql/pglite', '@electric-sql/pglite-socket'],
  entries: ['@repertoire/adapter-langchain/mcp', '@repertoire/skill-runner/just-bash', '@repertoire/skill-workflow/pglite'],
};

/** Installs all that users have to run agents, and runs it. */
async function expectToWork(manager: PackageManager, directory: string): Promise<void> {
  const { packages, environment, tools } = prepared();
  const dependencies = { ...installedPeers(packages, { without: leftOut.peers }), unstorage: toolVersions.unstorage };
  const project = await createCleanProject({ directory, manager, tools, packages, environment, dependencies });

  const entries = loadableEntryPoints(packages).filter((entry) => !leftOut.entries.includes(entry));
  await writePrograms(directory, runtimePrograms, { entries });
  expect(jsonOf(await project.run('run.mjs'))).toEqual({ loaded: entries, answers: answersOf(runtimePrograms) });

  await writeSkills(directory);
  const version = packages.find(({ manifest }) => manifest.name === '@repertoire/cli')?.manifest['version'];
  // The package manager may have something to say above.
  expect((await project.runCommand(['repertoire', '--version'])).output.split('\n')).toContain(version);
  const bundled = await project.runCommand(['repertoire', 'bundle', 'skills', '--out', 'skills.gen.mjs']);
  expect(bundled.ok, bundled.output).toBe(true);
  expect(await readFile(join(directory, 'skills.gen.mjs'), 'utf8')).toContain('Say hello.');
}

describe.concurrent('a clean project', { timeout: 480_000 }, () => {
  for (const managers of packageManagers(isEveryToolTried)) {
    const names = managers.map(({ name }) => name).join(', then ');
    it(`SRC-1, SRC-9, ADP-2, ADP-4: installed by ${names}, loads every entry point and runs agents and the command line`, async (context) => {
      expect(managers).not.toEqual([]);
      for (const { missing } of managers) context.skip(missing !== undefined, missing);
      const directory = join(prepared().directory, names.replaceAll(/[^A-Za-z0-9]+/g, '-'));
      // Right after the test: the end of a run does not wait long for folders to be removed.
      context.onTestFinished(() => rm(directory, { recursive: true, force: true }), 120_000);
      for (const manager of managers) await expectToWork(manager, directory);
    });
  }
});
