import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';
import { writeUi } from './build/build-ui.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/ui-assets.ts'],
  platform: 'node',
  // In the package it is `dist/ui-assets.js`, by the field `imports` of the manifest.
  external: ['#ui-assets'],
  hooks: { 'build:done': () => writeUi(new URL('dist/ui/', import.meta.url)) },
});
