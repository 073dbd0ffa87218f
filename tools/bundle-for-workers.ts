import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from './workspace.ts';

/** A bundle and what it is made of. */
export interface WorkerBundle {
  readonly code: string;
  /** What it imports at run time instead of holding it. */
  readonly imports: readonly string[];
  /** Names of the packages whose code it holds. */
  readonly packages: readonly string[];
}

/** Options of {@link bundleForWorkers}. */
export interface WorkerBundleOptions {
  /** Packages that stay imports. @default none */
  readonly external?: readonly string[];
  /** Conditions of `exports` that go before those of Workers. @default none, which takes what was built */
  readonly conditions?: readonly string[];
}

/**
 * Bundles a module as a Worker without `nodejs_compat` would get it. Built-in modules of Node stay imports, so that they can be found.
 *
 * @throws {Error} esbuild's, where something does not resolve
 */
export async function bundleForWorkers(code: string, { external = [], conditions = [] }: WorkerBundleOptions = {}): Promise<WorkerBundle> {
  const result = await build({
    stdin: { contents: code, resolveDir: join(repositoryRoot, 'e2e'), loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    mainFields: ['module', 'main'],
    conditions: [...conditions, 'workerd', 'worker', 'browser', 'import'],
    external: ['node:*', 'cloudflare:*', ...external],
    logLevel: 'silent',
    plugins: [
      {
        name: 'bare-built-ins',
        setup(plugin) {
          plugin.onResolve({ filter: /^[a-z_/]+$/ }, ({ path }) =>
            isBuiltin(path) ? { path: `node:${path}`, external: true } : undefined,
          );
        },
      },
    ],
  });
  const outputs = Object.values(result.metafile.outputs);
  // A file that was read and then shaken out altogether counts for nothing.
  const inputs = outputs.flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return {
    code: result.outputFiles[0]?.text ?? '',
    imports: [...new Set(outputs.flatMap((output) => output.imports.map(({ path }) => path)))],
    packages: [...new Set(inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []))],
  };
}
