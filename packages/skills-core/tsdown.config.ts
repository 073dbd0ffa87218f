import { readFileSync } from 'node:fs';
import { defineConfig, type UserConfig } from 'tsdown';
import { base, baseOutput } from '../../tsdown.base.ts';

/** What entries share becomes two files, since each more costs a start two thirds of a millisecond. */
const shared = { minShareCount: 2 };

/** What we use of a library, in one file for Node.js; see `src/format/yaml.ts` and `src/providers/digest/sha256.ts`. */
const bundled = (entry: string, name: string, home: string): UserConfig =>
  defineConfig({
    ...base,
    entry: [entry],
    platform: 'neutral',
    dts: false,
    clean: false,
    deps: { alwaysBundle: [new RegExp(`^${name}`)], onlyBundle: [name] },
    outputOptions: {
      ...baseOutput,
      banner: `/*! The package ${name}, ${home}. ${readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), 'utf8').trim()} */`,
    },
  });

const core = defineConfig({
  ...base,
  deps: { neverBundle: ['#yaml', '#sha256'] },
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
          test: /[\\/]src[\\/](?:errors|contract|format|providers|state(?=[\\/]fingerprint)|tools(?=[\\/]resource-text))[\\/].*(?<!\.d)\.ts$/,
        },
        { ...shared, name: 'session', test: /[\\/]src[\\/](?:prompt|catalog|events|state|policy|tools|skillset)[\\/].*(?<!\.d)\.ts$/ },
      ],
    },
  },
});

export default [
  core,
  bundled('src/format/yaml.ts', 'yaml', 'https://eemeli.org/yaml'),
  bundled('src/providers/digest/sha256.ts', '@noble/hashes', 'https://paulmillr.com/noble'),
];
