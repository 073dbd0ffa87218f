import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';
import { base, baseOutput } from '../../tsdown.base.ts';

/** Small shared modules become one file, since each costs a start half a millisecond. */
const shared = { minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24_000 };

const yamlLicense = readFileSync(new URL('node_modules/yaml/LICENSE', import.meta.url), 'utf8').trim();

/** The YAML library in one file; see `src/format/yaml.ts`. */
const yaml = defineConfig({
  ...base,
  entry: ['src/format/yaml.ts'],
  platform: 'neutral',
  dts: false,
  clean: false,
  deps: { alwaysBundle: ['yaml'], onlyBundle: ['yaml'] },
  outputOptions: { ...baseOutput, banner: `/*! The package yaml, https://eemeli.org/yaml. ${yamlLicense} */` },
});

const core = defineConfig({
  ...base,
  deps: { neverBundle: ['#yaml'] },
  entry: ['src/index.ts', 'src/adapter.ts', 'src/internal.ts', 'src/provider.ts', 'src/skill-md.ts', 'src/versions.ts'],
  platform: 'neutral',
  outputOptions: {
    ...baseOutput,
    // `base~index~adapter~provider` names all entries that share it: too long to read in a stack
    // trace.
    chunkFileNames: ({ name }) => (name.endsWith('.d') ? `${name.slice(0, -'.d'.length)}-[hash].d.ts` : `${name.split('~')[0]}-[hash].js`),
    codeSplitting: {
      groups: [
        {
          ...shared,
          name: 'base',
          test: /[\\/]src[\\/](?:errors|contract(?![\\/]near-names)|format|providers|state(?=[\\/]fingerprint))[\\/].*(?<!\.d)\.ts$/,
        },
        { ...shared, name: 'state', test: /[\\/]src[\\/](?:prompt|catalog|events|state|policy|skillset)[\\/].*(?<!\.d)\.ts$/ },
        { ...shared, name: 'tools', test: /[\\/]src[\\/]tools[\\/].*(?<!\.d)\.ts$/ },
      ],
    },
  },
});

export default [core, yaml];
