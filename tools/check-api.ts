/**
 * `node tools/check-api.ts [--update] [--allow-breaking]`: compares what each built package exports, at run time and as types, with the
 * snapshots in its folder `api`.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { snapshotPackage } from 'tsnapi';
import { runAll } from './run-all.ts';
import { publishedPackages, type WorkspacePackage } from './workspace.ts';

const { values } = parseArgs({
  options: { update: { type: 'boolean', default: false }, 'allow-breaking': { type: 'boolean', default: false } },
});

const problems = await runAll(publishedPackages(), availableParallelism(), compare);
for (const problem of problems.filter((text) => text !== '')) {
  console.log(problem);
  process.exitCode = 1;
}

async function compare({ path, directory, manifest }: WorkspacePackage): Promise<string> {
  // The tool writes a snapshot that is missing, which would let a new package pass unseen.
  const missing = snapshotsOf(manifest.exports).filter((file) => !existsSync(join(directory, 'api', file)));
  if (missing.length > 0 && !values.update) return `${path}/api lacks ${missing.join(', ')}. Run \`pnpm fix\` and commit what it writes.`;
  // The command leaves the names of parameters out, and a reader guesses what `_: string` is.
  const { diff } = await snapshotPackage(directory, {
    outputDir: join(directory, 'api'),
    omitArgumentNames: false,
    update: values.update,
    allowBreaking: values['allow-breaking'],
  });
  return diff === null ? '' : `${path}: the public API changed. If that is meant, run \`pnpm fix\`, add a changeset and commit.\n${diff}`;
}

function snapshotsOf(entries: WorkspacePackage['manifest']['exports'] = {}): string[] {
  return Object.entries(entries)
    .filter(([, target]) => typeof target !== 'string')
    .map(([entry]) => `${entry === '.' ? 'index' : entry.slice(2)}.snapshot.d.ts`);
}
