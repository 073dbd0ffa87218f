import type { UserConfig } from 'tsdown';

/** The one build recipe: ESM, one file an entry, no bundled dependencies. */
export const base: UserConfig = {
  format: 'esm',
  fixedExtension: false,
  dts: { sourcemap: false },
  sourcemap: false,
  logLevel: 'warn',
};
