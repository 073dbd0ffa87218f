import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/vitest.ts', 'src/ai-sdk.ts', 'src/langchain.ts', 'src/routing.ts', 'src/plugins.ts'],
  platform: 'neutral',
});
