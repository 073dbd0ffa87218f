import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['index', 'vitest', 'adapter', 'ai-sdk', 'langchain', 'routing', 'plugins', 'internal'].map((name) => `src/${name}.ts`),
  platform: 'neutral',
});
