import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/lock.ts', 'src/provider.ts', 'src/node.ts', 'src/sigstore.ts'],
  platform: 'neutral',
});
