import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCheckSteps } from '../check-steps.ts';
import { packPackages } from '../pack-packages.ts';
import { runAll } from '../run-all.ts';
import { runCommand } from '../run-command.ts';
import { tellCheckResult } from '../tell-check-result.ts';
import { repositoryRoot } from '../workspace.ts';
import type { ReleasePackage, ReleasePlan } from './release-plan.ts';

/** What of `pnpm check` looks at the packages as they are published. */
const steps = ['build', 'shape', 'size', 'api'];

/**
 * Builds, checks and packs every package into a folder, with the list of its dependencies (SBOM) beside it.
 *
 * @throws {Error} where a package cannot be built or packed
 */
export async function prepareRelease(directory: string): Promise<ReleasePlan> {
  const results = await runCheckSteps(steps, tellCheckResult);
  const failedChecks = results.filter(({ ok }) => !ok).map(({ name }) => name);
  if (failedChecks.includes('build')) throw new Error('Nothing is packed, since the packages do not build.');
  const packed = await packPackages(directory);
  const packages = await runAll(packed, 2, async ({ manifest, archive, files }): Promise<ReleasePackage> => {
    const { name } = manifest;
    const sbom = archive.replace(/\.tgz$/, '.cdx.json');
    const command = ['pnpm', 'sbom', '--filter', name, '--prod', '--lockfile-only', '--sbom-format', 'cyclonedx', '--out', sbom];
    const { ok, output } = await runCommand(command);
    if (!ok) throw new Error(`${name} has no SBOM:\n${output}`);
    return { name, version: String(manifest['version']), archive, bytes: statSync(archive).size, files, sbom };
  });
  return { packages, failedChecks, pendingChangesets: pendingChangesets() };
}

function pendingChangesets(): string[] {
  return readdirSync(join(repositoryRoot, '.changeset'))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .toSorted();
}
