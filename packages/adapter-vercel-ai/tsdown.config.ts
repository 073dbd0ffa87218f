import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/chat.ts', 'src/chat/client.ts', 'src/chat/react.ts', 'src/mcp.ts', 'src/ui.ts', 'src/upload.ts'],
  platform: 'neutral',
});
