/**
 * `node tools/newest-peers.ts`: writes the version of each peer that npm gives a user today into the catalog, for tests of what a user gets today. Run
 * `pnpm install --no-frozen-lockfile` after it, and throw the change away.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { publishedPackages, repositoryRoot } from './workspace.ts';

const file = join(repositoryRoot, 'pnpm-workspace.yaml');
const ranges = Object.fromEntries(
  publishedPackages()
    .flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))
    .filter(([name]) => !name.startsWith('@repertoire/')),
);
const directory = mkdtempSync(join(tmpdir(), 'repertoire-newest-peers-'));
try {
  // All of them at once: the newest of one may want an older version of another.
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies: ranges }));
  const command = ['npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, output } = await runCommand(command, { directory });
  if (!ok) throw new Error(`npm cannot install the peers together:\n${output}`);
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string } | undefined>>;
  };
  let text = readFileSync(file, 'utf8');
  for (const [name, range] of Object.entries(ranges)) {
    const newest = packages[`node_modules/${name}`]?.version;
    if (newest === undefined) throw new Error(`npm installed no ${name}.`);
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
} finally {
  rmSync(directory, { recursive: true, force: true });
}
