import { join } from 'node:path';
import { build } from 'esbuild';

/** A program of this folder as one file, since a process that is to be lost need not compile anything. @returns its path */
export async function bundleProgram(name: string): Promise<string> {
  const outfile = join(import.meta.dirname, '../node_modules/.cache', `chat-${process.pid}`, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    conditions: ['@repertoire/source'],
    external: ['pg'],
    banner: { js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}
