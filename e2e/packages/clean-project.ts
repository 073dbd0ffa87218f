import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedPackage } from '../../tools/pack-packages.ts';
import type { CommandResult } from '../../tools/run-command.ts';
import type { PackageManager } from './package-managers.ts';
import { runOutside } from './run-outside.ts';

/** A project outside this repository that has installed our packages as their users do. */
export interface CleanProject {
  readonly directory: string;
  /** Runs a module of the project, as the package manager wants it. */
  run(path: string): Promise<CommandResult>;
  /** Runs a command that one of the packages brings. */
  runCommand(command: readonly string[]): Promise<CommandResult>;
}

/** Options of {@link createCleanProject}. */
export interface CleanProjectOptions {
  /** Where it is made. */
  readonly directory: string;
  /** What installs it. */
  readonly manager: PackageManager;
  /** The `node_modules` that holds the package manager. @default not needed, as for pnpm */
  readonly tools?: string | undefined;
  /** Which of our packages it has. */
  readonly packages: readonly PackedPackage[];
  /** Which packages of others it has, and in which version; peers among them. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Versions that hold for dependencies of others too. @default none */
  readonly overrides?: Readonly<Record<string, string>> | undefined;
  /** Environment of its commands, besides what the package manager needs. @default that of this process */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/**
 * Writes a project that depends on archives of our packages, and installs it.
 *
 * @throws {Error} with the words of the package manager, where it fails
 */
export async function createCleanProject(options: CleanProjectOptions): Promise<CleanProject> {
  const { directory, manager, tools = '', packages, dependencies } = options;
  const environment = { ...options.environment, ...manager.environment };
  const archives = Object.fromEntries(packages.map(({ manifest, archive }) => [manifest.name, `file:${archive}`]));
  // Siblings name each other by version, and this version is on no registry.
  const overrides = { ...options.overrides, ...archives };
  const files = {
    // npm and Bun read `overrides`, Yarn reads `resolutions`, pnpm its own file.
    'package.json': { private: true, type: 'module', dependencies: { ...dependencies, ...archives }, overrides, resolutions: overrides },
    'pnpm-workspace.yaml': { overrides, strictDepBuilds: false, pmOnFail: 'ignore' },
  };
  await mkdir(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), JSON.stringify(content));
  for (const [name, text] of Object.entries(manager.files ?? {})) await writeFile(join(directory, name), text);
  const { ok, output } = await runOutside(manager.install(tools), directory, environment);
  if (!ok) throw new Error(`${manager.name} could not install the project:\n${output}`);

  return {
    directory,
    run: (path) => runOutside([...(manager.run?.(tools) ?? ['node']), path], directory, environment),
    runCommand: (command) => runOutside([...manager.execute(tools), ...command], directory, environment),
  };
}
