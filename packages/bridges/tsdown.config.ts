import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: [
    'src/index.ts',
    'src/adk.ts',
    'src/cloudflare.ts',
    'src/deepagents.ts',
    'src/files.ts',
    'src/mastra.ts',
    'src/openai-sandbox.ts',
    'src/tanstack.ts',
  ],
  platform: 'neutral',
});
