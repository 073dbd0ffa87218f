import { defineConfig } from 'tsdown';
import { base } from '../../tsdown.base.ts';

export default defineConfig({
  ...base,
  entry: [
    'src/index.ts',
    'src/cards.ts',
    'src/discovery.ts',
    'src/hooks.ts',
    'src/lock.ts',
    'src/policy.ts',
    'src/provider.ts',
    'src/scripts.ts',
    'src/skill-md.ts',
    'src/state.ts',
    'src/versions.ts',
    'src/workflows.ts',
  ],
  platform: 'neutral',
});
