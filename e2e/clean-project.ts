import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packPackages, type PackedPackage } from '../tools/pack-packages.ts';
import { runCommand, type CommandResult } from '../tools/run-command.ts';

/** A project outside this repository that has installed our packages as their users do. */
export interface CleanProject {
  readonly directory: string;
  readonly packages: readonly PackedPackage[];
  /** Runs a command in the project. */
  run(command: readonly string[]): Promise<CommandResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options of {@link createCleanProject}. */
export interface CleanProjectOptions {
  /** Which of our packages it installs. @default all */
  readonly only?: readonly string[] | undefined;
  /** Versions of packages, peers among them. @default those that this repository has */
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

/**
 * Builds and packs every published package, and installs the archives into a new project, together with their peers, optional ones
 * too.
 *
 * @throws {Error} with the words of the tool that failed
 */
export async function createCleanProject({ only, versions = {} }: CleanProjectOptions = {}): Promise<CleanProject> {
  const directory = await mkdtemp(join(tmpdir(), 'repertoire-clean-'));
  const must = async (command: readonly string[], where?: string): Promise<void> => {
    const { ok, output } = await runCommand(command, where === undefined ? {} : { directory: where });
    if (!ok) throw new Error(`${command.join(' ')} failed:\n${output}`);
  };

  await must(['turbo', 'run', 'build', '--output-logs=errors-only']);
  await mkdir(join(directory, 'archives'));
  const packed = await packPackages(join(directory, 'archives'));
  const packages = packed.filter(({ manifest }) => only?.includes(manifest.name) ?? true);
  const archives = Object.fromEntries(packages.map(({ manifest, archive }) => [manifest.name, `file:${archive}`]));
  const peers = Object.assign({}, ...packages.map(installedPeers)) as Record<string, string>;
  for (const name of Object.keys(peers)) if (only !== undefined && versions[name] === undefined) delete peers[name];

  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: { ...peers, ...versions, ...archives } }),
  );
  // Siblings name each other by version, and this version is on no registry.
  await writeFile(
    join(directory, 'pnpm-workspace.yaml'),
    JSON.stringify({ overrides: { ...installableSets(), ...versions, ...archives }, strictDepBuilds: false, pmOnFail: 'ignore' }),
  );
  await must(['pnpm', 'install', '--prefer-offline', '--ignore-scripts'], directory);

  return {
    directory,
    packages,
    run: (command) => runCommand(command, { directory }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** What this repository pins because newer versions of it cannot be installed together; a user would have to as well. */
function installableSets(): Record<string, string> {
  const workspace = parse(readFileSync(join(import.meta.dirname, '../pnpm-workspace.yaml'), 'utf8')) as {
    overrides: Record<string, string>;
  };
  return Object.fromEntries(Object.entries(workspace.overrides).filter(([name]) => name.startsWith('@langchain/')));
}

function installedPeers({ directory, manifest }: PackedPackage): Record<string, string> {
  return Object.fromEntries(
    Object.keys(manifest.peerDependencies ?? {}).map((name) => {
      const installed = JSON.parse(readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8')) as { version: string };
      return [name, installed.version];
    }),
  );
}
