/** A Worker of this repository, and what it may be. */
export interface WorkerGuard {
  /** The folder with its `wrangler.jsonc`, from the root. */
  readonly folder: string;
  /** The most that it may weigh, minified and gzipped, in KiB: what was measured and about a tenth more. */
  readonly maxKib: number;
  /** Packages that may not be in it. */
  readonly absent: readonly string[];
  /** Modules of Node that it imports all the same, by the package that asks for them; `.` is its own code. Exactly these. @default none */
  readonly nodeImports?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The longest that a Worker may take to start, in milliseconds of the CPU here. Cloudflare allows a second. What was measured lies far below; this is generous, so
 * that a busy machine does not fail the check.
 */
export const maxStartUpMs = 600;

/** Flags without which dates from 2026-08-04 on bring the modules of Node along. */
export const withoutNodeFlags: readonly string[] = ['no_nodejs_compat', 'no_nodejs_compat_v2'];

/** What no Worker of ours may hold: it reads files, watches them, or belongs to the command line. */
export const neverInWorkers: readonly string[] = [
  '@repertoire/skill-fs',
  '@repertoire/cli',
  // What wrangler puts in the place of Node's modules.
  '@cloudflare/unenv-preset',
  'unenv',
  'chokidar',
  'commander',
  'fast-glob',
  'undici',
  'unplugin',
  'unstorage',
  'vitest',
];

export const workerGuards: readonly WorkerGuard[] = [
  {
    folder: 'e2e/chat/worker',
    maxKib: 275,
    absent: ['semver', '@langchain/core', 'yaml'],
  },
  {
    folder: 'examples/worker-agent',
    // Half a KiB reads broken fields without the YAML library, which hundreds of broken files would keep busy. What asks whether a skill is in force, and
    // what refuses numbers and options, take two, and archives and YAML of the web source, which load late, stand in files of their own here too: five.
    maxKib: 400.4,
    absent: ['semver', '@langchain/core'],
  },
  {
    folder: 'examples/worker-langgraph',
    // OpenAI's SDK 7 weighs more than twice what 6 did: 470 KiB minified.
    maxKib: 560,
    // Its skills are bundled, so that nothing of it reads YAML.
    absent: ['yaml', 'semver', 'ai', 'langchain'],
    nodeImports: {
      // AsyncLocalStorage for LangGraph, by the flag `nodejs_als`.
      '.': ['node:async_hooks'],
    },
  },
];

/** What a Worker of `e2e/workers` may be: as little of Node as those of our users, and so small that nobody notices late what came along. */
export const testWorkerRules: Omit<WorkerGuard, 'folder'> = { maxKib: 500, absent: neverInWorkers };
