import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';
import { base, baseOutput } from '../../tsdown.base.ts';

/** What entries share becomes two files, since each more costs a start two thirds of a millisecond. */
const shared = { minShareCount: 2 };

/** Small libraries that stand in the shared files: Node.js takes over a millisecond to find and read a package. As dependencies, they are in the SBOM. */
const inlined = {
  '@noble/hashes': 'https://paulmillr.com/noble',
  tokenx: 'https://github.com/johannschopplich/tokenx',
};

const noticeOf = (library: string, home: string): string =>
  `The package ${library}, ${home}. ${readFileSync(licenseOf(library), 'utf8').trim()}`;
const licenseOf = (library: string): URL => {
  const folder = new URL(`node_modules/${library}/`, import.meta.url);
  const name = readdirSync(folder).find((file) => /^license/i.test(file));
  return new URL(name ?? 'LICENSE', folder);
};

/** The YAML library in one file for Node.js; see `src/format/yaml.ts`. */
const yaml = defineConfig({
  ...base,
  entry: ['src/format/yaml.ts'],
  platform: 'neutral',
  dts: false,
  clean: false,
  deps: { alwaysBundle: [/^yaml/], onlyBundle: ['yaml'] },
  outputOptions: { ...baseOutput, banner: `/*! ${noticeOf('yaml', 'https://eemeli.org/yaml')} */` },
});

const core = defineConfig({
  ...base,
  deps: {
    neverBundle: ['#yaml'],
    alwaysBundle: Object.keys(inlined).map((name) => new RegExp(`^${name}`)),
    onlyBundle: Object.keys(inlined),
  },
  plugins: [
    {
      name: 'inlined',
      // A bundler leaves out what nobody uses if it knows that making it has no other effect, and that of a call's arguments as well.
      transform: (code, id) =>
        id.replaceAll('\\', '/').includes('/node_modules/tokenx/')
          ? code.replace(/= (new RegExp\(.*\));$/gm, '= /* @__PURE__ */ (() => $1)();')
          : null,
      generateBundle() {
        const source = Object.entries(inlined).map(([name, home]) => noticeOf(name, home));
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: `${source.join('\n\n')}\n` });
      },
    },
  ],
  // Those of them that are two builds in one have their ES modules there.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  entry: ['src/index.ts', 'src/adapter.ts', 'src/internal.ts', 'src/provider.ts', 'src/skill-md.ts', 'src/versions.ts'],
  platform: 'neutral',
  outputOptions: {
    ...baseOutput,
    // Not marked for bundlers, which would put it into every bundle.
    banner: ({ moduleIds }) => {
      const names = Object.keys(inlined).filter((name) =>
        moduleIds.some((id) => id.replaceAll('\\', '/').includes(`/node_modules/${name}/`)),
      );
      return names.length === 0 ? '' : `/* With ${names.join(', ')} (licenses.txt of @repertoire/skills-core). */`;
    },
    // `base~index~adapter~provider` names all entries that share it: too long to read in a stack
    // trace.
    chunkFileNames: ({ name }) => (name.endsWith('.d') ? `${name}.ts` : `${name.split('~')[0]}.js`),
    codeSplitting: {
      groups: [
        {
          ...shared,
          name: 'base',
          test: /[\\/]src[\\/](?:errors|contract|format|providers|state(?=[\\/]fingerprint)|tools(?=[\\/]resource-text))[\\/].*(?<!\.d)\.ts$|[\\/]node_modules[\\/]@noble[\\/]/,
        },
        {
          ...shared,
          name: 'session',
          test: /[\\/]src[\\/](?:prompt|catalog|events|state|policy|tools|skillset)[\\/].*(?<!\.d)\.ts$|[\\/]node_modules[\\/]tokenx[\\/]/,
        },
      ],
    },
  },
});

export default [core, yaml];
