/**
 * `node tools/newest-peers.ts`: writes the newest version that each peer range of the packages allows into the catalog, for tests of what a user gets today. Run
 * `pnpm install --no-frozen-lockfile` after it, and throw the change away.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { publishedPackages, repositoryRoot } from './workspace.ts';

const file = join(repositoryRoot, 'pnpm-workspace.yaml');
const ranges = new Map(publishedPackages().flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {})));
let text = readFileSync(file, 'utf8');
for (const [name, range] of ranges) {
  if (name.startsWith('@repertoire/')) continue;
  // `npm view` answers one version, or a list in the order of publication. A range holds no version before a release.
  const { ok, output } = await runCommand(['npm', 'view', `${name}@${range}`, 'version', '--json', '--loglevel=error']);
  if (!ok) throw new Error(`${name}: ${output}`);
  const newest = [JSON.parse(output) as string | string[]].flat().toSorted(compareNumbers).at(-1) ?? '';
  const before = text;
  text = text
    .split('\n')
    .map((line) => {
      const key = [`  ${name}: `, `  "${name}": `].find((start) => line.startsWith(start));
      return key === undefined ? line : `${key}${newest}`;
    })
    .join('\n');
  console.log(`${name} ${range}: ${newest}${before === text ? ', as it was' : ''}`);
}
writeFileSync(file, text);

function compareNumbers(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return left.map((number, index) => number - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
