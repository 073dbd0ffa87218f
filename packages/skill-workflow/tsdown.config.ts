import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

const neutral = ['index', 'source', 'agent', 'dbos', 'cloudflare', 'langgraph', 'temporal', 'restate', 'ai-sdk', 'langchain'];

export default defineConfig([
  { ...base, entry: neutral.map((name) => `src/${name}.ts`), platform: 'neutral' },
  { ...base, entry: ['src/pglite.ts'], platform: 'node', clean: false },
]);
