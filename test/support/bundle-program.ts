import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll } from 'vitest';

/**
 * Makes one module of a TypeScript file and all that it imports, for tests that start it many times: it starts in a fraction of the time that hundreds of files take.
 * It is removed behind the tests of the file that calls this.
 *
 * @param path of the file
 * @param external packages that it asks for and can do without: they are not in it
 * @returns its path
 */
export async function bundleProgram(path: string, external: readonly string[] = []): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-program-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, `${basename(path, '.ts')}.mjs`);
  await build({
    entryPoints: [path],
    outfile,
    bundle: true,
    external: [...external],
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['@repertoire/source'],
    // For what is CommonJS in it.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
    plugins: [nativeInPlace],
  });
  return outfile;
}

/** What looks for its binaries beside itself is imported from where it is. */
const nativeInPlace: Plugin = {
  name: 'native-in-place',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^(?:better-sqlite3|@electric-sql\/pglite)$/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === isAsked) return undefined;
      const { path: place, errors } = await resolve(path, { kind, resolveDir, pluginData: isAsked });
      return { path: pathToFileURL(place).href, external: true, errors };
    }),
};
/** Marks the plugin's own question, which esbuild answers. */
const isAsked = Symbol('asked');
