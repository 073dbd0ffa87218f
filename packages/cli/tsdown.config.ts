import { defineConfig } from 'tsdown';
import { base, baseOutput } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/main.ts', 'src/plugin.ts'],
  // Ambient types: they belong to no module, so nothing leads the build to them.
  copy: ['src/virtual.d.ts'],
  // Names that stay from build to build: what entries share is named in the snapshot of the API.
  outputOptions: { ...baseOutput, chunkFileNames: '[name].js', minifyInternalExports: false },
  platform: 'node',
});
