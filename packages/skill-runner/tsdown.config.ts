import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/scripts.ts', 'src/just-bash.ts', 'src/process.ts', 'src/wasm.ts', 'src/wasm/quickjs-worker.ts'],
  platform: 'neutral',
});
