/** Runs once before the tests of this folder: builds and packs the packages, and installs what several test files need. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { parse } from 'yaml';
import { packPackages, type PackedPackage } from '../../tools/pack-packages.ts';
import { runCommand } from '../../tools/run-command.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { createCleanProject } from './clean-project.ts';
import { installedPeers } from './installed-peers.ts';
import { pnpm } from './package-managers.ts';
import type { Prepared } from './prepared.ts';
import { registryEnvironment } from './registry-environment.ts';
import { startedExamples } from './started-examples.ts';
import { isEveryToolTried, platform, runtimePackages, toolVersions } from './tool-versions.ts';

export async function setup(testProject: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'repertoire-packages-'));
  // A failure is that of the tests in this folder, not of the whole run.
  testProject.provide('prepared', await prepare(directory).catch((error: unknown) => ({ failure: String(error) })));
  return () => rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

async function prepare(directory: string): Promise<Prepared> {
  // One after the other: after a failure, nothing may still write into a folder that is removed.
  const packed = await packAndInstall(directory);
  const tools = await installTools(directory);
  return { directory, tools, ...packed, environment: await registryEnvironment(tools, directory) };
}

/** Installs package managers and runtimes. */
async function installTools(directory: string): Promise<string> {
  const runtimes = (['node', 'bun', 'deno', ...(isEveryToolTried ? (['node-newest'] as const) : [])] as const).flatMap((runtime) => {
    const runtimePackage = runtimePackages[runtime][platform];
    if (runtimePackage === undefined) return [];
    const { name, alias } = runtimePackage;
    return [[name, alias === undefined ? toolVersions[runtime] : `npm:${alias}@${toolVersions[runtime]}`] as const];
  });
  const managers = (['npm', '@yarnpkg/cli-dist', ...(isEveryToolTried ? (['yarn'] as const) : [])] as const).map((name) => [
    name,
    toolVersions[name],
  ]);
  const project = await createCleanProject({
    directory: join(directory, 'tools'),
    manager: pnpm,
    packages: [],
    dependencies: Object.fromEntries([...runtimes, ...managers]) as Record<string, string>,
  });
  return join(project.directory, 'node_modules');
}

/** Packs the packages, and installs a project that has everything. */
async function packAndInstall(directory: string): Promise<{ packages: PackedPackage[]; project: string }> {
  const { ok, output } = await runCommand(['turbo', 'run', 'build', '--output-logs=errors-only']);
  if (!ok) throw new Error(`They could not be built:\n${output}`);
  const archives = join(directory, 'archives');
  await mkdir(archives);
  const packages = await packPackages(archives);
  const { vite, esbuild, webpack, '@rspack/core': rspack, unstorage } = toolVersions;
  const compilers = (['typescript-5', 'typescript-7'] as const).map((name) => [name, `npm:typescript@${toolVersions[name]}`]);
  const project = await createCleanProject({
    directory: join(directory, 'project'),
    manager: pnpm,
    packages,
    dependencies: {
      ...installedPeers(packages),
      ...(await shownPackages()),
      vite,
      esbuild,
      webpack,
      '@rspack/core': rspack,
      unstorage,
      ...Object.fromEntries(compilers),
    } as Record<string, string>,
  });
  return { packages, project: project.directory };
}

/** What the pages that get users started and the examples install, in the versions of this repository. */
async function shownPackages(): Promise<Record<string, string>> {
  const { catalog } = parse(await readFile(join(repositoryRoot, 'pnpm-workspace.yaml'), 'utf8')) as { catalog: Record<string, string> };
  const ofExamples = startedExamples().flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}));
  // React has its types in another package.
  const names = ['@types/react', '@ai-sdk/openai', '@langchain/openai', '@openai/agents', ...ofExamples];
  return Object.fromEntries(names.flatMap((name) => (catalog[name] === undefined ? [] : [[name, catalog[name]]])));
}
