import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/main.ts', 'src/plugin.ts'],
  // Ambient types: they belong to no module, so nothing leads the build to them.
  copy: ['src/virtual.d.ts'],
  platform: 'node',
});
