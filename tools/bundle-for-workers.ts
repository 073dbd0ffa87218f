import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Loader } from 'esbuild';
import { workerContents, type WorkerContents } from './worker-contents.ts';
import { repositoryRoot } from './workspace.ts';

/** A bundle and what it is made of. */
export interface WorkerBundle extends WorkerContents {
  readonly code: string;
}

/** Options of {@link bundleForWorkers}. */
export interface WorkerBundleOptions {
  /** Packages that stay imports. @default none */
  readonly external?: readonly string[];
  /** Conditions of `exports` that go before those of Workers. @default none, which takes what was built */
  readonly conditions?: readonly string[];
  /** Folder from which packages are found. @default that of the end-to-end tests, which have them all */
  readonly resolveFolder?: string;
  /** How files that are neither JavaScript nor JSON are taken in, by their extension. */
  readonly loader?: Readonly<Record<string, Loader>>;
}

/**
 * Bundles a module as a Worker without `nodejs_compat` would get it. Built-in modules of Node stay imports, so that they can be found.
 *
 * @throws {Error} esbuild's, where something does not resolve
 */
export async function bundleForWorkers(
  code: string,
  { external = [], conditions = [], resolveFolder = join(repositoryRoot, 'e2e'), loader = {} }: WorkerBundleOptions = {},
): Promise<WorkerBundle> {
  const result = await build({
    stdin: { contents: code, resolveDir: resolveFolder, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    // As wrangler does, so that packages bring what they have for places without Node.
    platform: 'browser',
    target: 'es2022',
    conditions: [...conditions, 'workerd', 'worker', 'browser', 'import'],
    external: ['node:*', 'cloudflare:*', ...external],
    loader,
    logLevel: 'silent',
    plugins: [
      {
        name: 'bare-built-ins',
        setup(plugin) {
          plugin.onResolve({ filter: /^[a-z0-9_/]+$/ }, ({ path }) =>
            isBuiltin(path) ? { path: `node:${path}`, external: true } : undefined,
          );
        },
      },
    ],
  });
  return { code: result.outputFiles[0]?.text ?? '', ...workerContents(result.metafile) };
}
