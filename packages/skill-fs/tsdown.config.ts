import { defineConfig } from 'tsdown';
import { base, baseOutput } from '../../tsdown.base.ts';

/** In one file, since each more costs a start two thirds of a millisecond: all but what `./agent`, `./internal`, cards and slow disks alone need, and what makes the API snapshot read the entry. */
const folders = {
  name: 'folders',
  test: /[\\/]src[\\/](?!agent|card-record|disk-thread|folder-files|folder-look|index|internal|standard-skill-roots).*(?<!\.d)\.ts$/,
};

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/agent.ts', 'src/internal.ts', 'src/disk-thread-program.ts'],
  platform: 'node',
  outputOptions: { ...baseOutput, codeSplitting: { groups: [folders] } },
});
