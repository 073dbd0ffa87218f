import { join } from 'node:path';
import { bun as bunRuntime } from './runtimes.ts';
import { toolVersions } from './tool-versions.ts';

/** How a package manager is called. Each function is given the `node_modules` that holds the tools. */
export interface PackageManager {
  readonly name: string;
  /** Why it is not to be had on this platform. */
  readonly missing?: string | undefined;
  /** Its environment. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Files that the project needs besides `package.json`. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** The command that installs a project. */
  install(tools: string): readonly string[];
  /** What goes before a command that an installed package brings. */
  execute(tools: string): readonly string[];
  /** What goes before the path of a program. @default the Node of this repository */
  run?(tools: string): readonly string[];
}

/** The pnpm of this repository. */
export const pnpm: PackageManager = {
  name: 'pnpm',
  install: () => ['pnpm', 'install', '--prefer-offline', '--ignore-scripts'],
  execute: () => ['pnpm', 'exec'],
};

const npm: PackageManager = {
  name: `npm ${toolVersions.npm}`,
  environment: { npm_config_audit: 'false', npm_config_fund: 'false' },
  install: (tools) => ['node', join(tools, 'npm/bin/npm-cli.js'), 'install', '--prefer-offline', '--ignore-scripts'],
  execute: (tools) => ['node', join(tools, 'npm/bin/npx-cli.js'), '--no-install'],
};

const yarn1: PackageManager = {
  name: `Yarn ${toolVersions.yarn}`,
  // Its cache knows an archive by its path from the project, which never changes, and would give the one of another day.
  environment: { YARN_CACHE_FOLDER: '.yarn-cache' },
  install: (tools) => ['node', join(tools, 'yarn/bin/yarn.js'), 'install', '--ignore-scripts', '--non-interactive'],
  execute: (tools) => ['node', join(tools, 'yarn/bin/yarn.js'), '--silent', 'run'],
};

const yarn = (tools: string): readonly string[] => ['node', join(tools, '@yarnpkg/cli-dist/bin/yarn.js')];

const yarnEnvironment = {
  YARN_ENABLE_SCRIPTS: '0',
  YARN_ENABLE_TELEMETRY: '0',
  // In continuous integration both are on, and there is no lockfile yet.
  YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
  YARN_ENABLE_HARDENED_MODE: '0',
};

const yarnPlugAndPlay: PackageManager = {
  name: `Yarn ${toolVersions['@yarnpkg/cli-dist']} with Plug'n'Play`,
  environment: { ...yarnEnvironment, YARN_NODE_LINKER: 'pnp' },
  // Tells Yarn that the project starts here, also where a folder above has one.
  files: { 'yarn.lock': '' },
  install: (tools) => [...yarn(tools), 'install'],
  execute: (tools) => [...yarn(tools), 'run'],
  run: (tools) => [...yarn(tools), 'node'],
};

/** Takes over a project of {@link yarnPlugAndPlay} with its lockfile, which spares half of the time. */
const yarnNodeModules: PackageManager = {
  name: `Yarn ${toolVersions['@yarnpkg/cli-dist']} with node_modules`,
  environment: { ...yarnEnvironment, YARN_NODE_LINKER: 'node-modules' },
  install: (tools) => [...yarn(tools), 'install'],
  execute: (tools) => [...yarn(tools), 'run'],
};

const bun: PackageManager = {
  name: `Bun ${toolVersions.bun}`,
  missing: bunRuntime.missing,
  install: (tools) => [...bunRuntime.command(tools), 'install', '--ignore-scripts', '--no-progress'],
  execute: (tools) => [...bunRuntime.command(tools), 'run'],
  run: (tools) => bunRuntime.command(tools),
};

/**
 * What the packages are installed with. Those in one list install the same project, one after the other.
 *
 * @param all otherwise one for each way to lay out packages, as pnpm installs the project of the other tests in this folder, and Bun does what npm does
 */
export function packageManagers(all: boolean): readonly (readonly PackageManager[])[] {
  return all ? [[npm], [yarnPlugAndPlay, yarnNodeModules], [yarn1], [pnpm], [bun]] : [[npm], [yarnPlugAndPlay]];
}
