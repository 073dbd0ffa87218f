import { join } from 'node:path';
import type { UserConfig } from 'tsdown';

/** Docstrings are for editors, which read them in the types; `@license` and what bundlers read stay in the code. */
export const baseOutput = {
  comments: { jsdoc: false, legal: true, annotation: true },
  // Names that stay from build to build: stack traces show them, and so do the snapshots of the API.
  chunkFileNames: '[name].js',
  minifyInternalExports: false,
} as const;

/** The one build recipe: ESM, one file an entry, no bundled dependencies. */
export const base: UserConfig = {
  format: 'esm',
  fixedExtension: false,
  // Declarations file by file, as `isolatedDeclarations` of this one lets them be made.
  tsconfig: join(import.meta.dirname, 'tsconfig.base.json'),
  dts: { sourcemap: false },
  sourcemap: false,
  logLevel: 'warn',
  outputOptions: baseOutput,
};
