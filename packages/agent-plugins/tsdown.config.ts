import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/internal.ts', 'src/node.ts', 'src/servers.ts', 'src/ai-sdk.ts', 'src/langchain.ts', 'src/openai-agents.ts'],
  platform: 'neutral',
});
