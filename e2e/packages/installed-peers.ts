import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedPackage } from '../../tools/pack-packages.ts';

/** No entry point imports these: the command line asks the user's project for them, to publish to local storage and to run agents on models. */
const notImported = ['wrangler', '@langchain/anthropic', '@langchain/openai'];

/** Every peer that the packages import, optional ones too, in the version that this repository has. */
export function installedPeers(
  packages: readonly PackedPackage[],
  { without = [] }: { readonly without?: readonly string[] } = {},
): Record<string, string> {
  const versions = packages.flatMap(({ directory, manifest }) =>
    Object.keys(manifest.peerDependencies ?? {}).map((name) => {
      const installed = JSON.parse(readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8')) as { version: string };
      return [name, installed.version] as const;
    }),
  );
  // Packages of this repository are there as archives.
  return Object.fromEntries(versions.filter(([name]) => !name.startsWith('@repertoire/') && ![...notImported, ...without].includes(name)));
}
