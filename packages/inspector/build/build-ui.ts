import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { UiAssets } from '../src/server/ui-assets-shape.ts';

const folder = new URL('../ui/', import.meta.url);

/** Bundles the page: one script, one style sheet, and the HTML that names them. */
export async function buildUi(): Promise<UiAssets> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('main.tsx', folder)), fileURLToPath(new URL('style/app.css', folder))],
    bundle: true,
    minify: true,
    write: false,
    outdir: 'ui',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    conditions: ['@repertoire/source'],
    // A page has no `process`.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (ending: string): string => result.outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { html: await readFile(new URL('index.html', folder), 'utf8'), script: text('.js'), style: text('.css') };
}

/** Writes the page to where the built package looks for it. */
export async function writeUi(directory: URL): Promise<void> {
  const { html, script, style } = await buildUi();
  await mkdir(directory, { recursive: true });
  for (const [name, content] of [
    ['index.html', html],
    ['app.js', script],
    ['app.css', style],
  ] as const) {
    const file = new URL(name, directory);
    await writeFile(new URL(`${name}.new`, directory), content);
    await rename(new URL(`${name}.new`, directory), file);
  }
}
