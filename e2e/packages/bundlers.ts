/**
 * A program that bundles `app.mjs` of its folder into `bundles/<name>/app.mjs`, an ES module for Workers and browsers. The plugin of `@repertoire/cli` takes in the
 * skills of the folder `skills`.
 */
export interface Bundler {
  /** The package it is. */
  readonly name: 'vite' | 'esbuild' | 'webpack' | '@rspack/core';
  readonly program: string;
}

const plugin = (bundler: string): string => `skillsPlugin.${bundler}({ roots: ['skills'] })`;
const importPlugin = `import { skillsPlugin } from '@repertoire/cli/plugin';`;

const webpackConfiguration = (name: string, bundler: string): string => `{
  mode: 'production',
  target: 'webworker',
  entry: './app.mjs',
  experiments: { outputModule: true },
  output: { path: import.meta.dirname + '/bundles/${name}', filename: 'app.mjs', module: true, library: { type: 'module' } },
  performance: false,
  plugins: [${plugin(bundler)}],
  // One file, which is simpler to run.
  module: { parser: { javascript: { dynamicImportMode: 'eager' } } },
  // The minifier of webpack takes ten times as long as webpack.
  optimization: { minimize: false },
}`;

const webpackReport = `(error, stats) => {
  if (error === null && !stats.hasErrors() && !stats.hasWarnings()) return;
  console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }));
  process.exitCode = 1;
}`;

/** Every bundler that the packages are bundled with. */
export const bundlers: readonly Bundler[] = [
  {
    name: 'vite',
    program: `${importPlugin}
import { build } from 'vite';
const input = { input: 'app.mjs', preserveEntrySignatures: 'strict', output: { entryFileNames: 'app.mjs', codeSplitting: false } };
await build({ configFile: false, plugins: [${plugin('vite')}], logLevel: 'warn', build: { outDir: 'bundles/vite', chunkSizeWarningLimit: 5000, rolldownOptions: input } });`,
  },
  {
    name: 'esbuild',
    program: `${importPlugin}
import { build } from 'esbuild';
await build({ plugins: [${plugin('esbuild')}], entryPoints: ['app.mjs'], bundle: true, minify: true, format: 'esm', platform: 'browser', outfile: 'bundles/esbuild/app.mjs', logLevel: 'warning' });`,
  },
  {
    name: 'webpack',
    program: `${importPlugin}
import webpack from 'webpack';
webpack(${webpackConfiguration('webpack', 'webpack')}, ${webpackReport});`,
  },
  {
    name: '@rspack/core',
    program: `${importPlugin}
import { rspack } from '@rspack/core';
rspack(${webpackConfiguration('@rspack/core', 'rspack')}, ${webpackReport});`,
  },
];
