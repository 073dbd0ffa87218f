/**
 * `pnpm release --dry-run [--out folder]`: builds, checks and packs every package, and prints what would be published. `--out` keeps the archives, the SBOM of each, and
 * `release.json`. `pnpm release --from folder` publishes what lies there; only the release workflow can, since npm wants an identity for the provenance. Without either
 * it does both.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishRelease } from './release/publish-release.ts';
import { releaseObstacles } from './release/release-obstacles.ts';
import type { ReleasePlan } from './release/release-plan.ts';
import { renderRelease } from './release/render-release.ts';
import { publishedPackages } from './workspace.ts';

const planFile = 'release.json';
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, out: { type: 'string' }, from: { type: 'string' } },
});

try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  // Asked first: nobody waits for a build that is for nothing.
  if (!values['dry-run']) refuse(releaseObstacles({ packages: unpacked(), failedChecks: [], pendingChangesets: [] }, process.env));
  const temporary =
    values.out === undefined && values.from === undefined ? await mkdtemp(join(tmpdir(), 'repertoire-release-')) : undefined;
  try {
    const plan = values.from === undefined ? await prepare(resolve(values.out ?? temporary ?? '')) : await read(resolve(values.from));
    console.log(renderRelease(plan));
    if (values.out !== undefined) console.log(`The archives and the SBOM of each are in ${resolve(values.out)}.`);
    const obstacles = releaseObstacles(plan, process.env);
    if (values['dry-run']) {
      console.log('Nothing is published by --dry-run.');
      for (const obstacle of obstacles) console.log(`Before a release: ${obstacle}`);
      if (plan.failedChecks.length > 0) process.exitCode = 1;
      return;
    }
    refuse(obstacles);
    await publishRelease(plan, (line) => console.log(line));
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

/** What is known of the packages before they are packed. */
function unpacked(): ReleasePlan['packages'] {
  return publishedPackages().map(({ manifest: { name, version } }) => ({
    name,
    version: String(version),
    archive: '',
    bytes: 0,
    files: [],
    sbom: '',
  }));
}

function refuse(obstacles: readonly string[]): void {
  if (obstacles.length > 0) throw new Error(`Nothing is published.\n${obstacles.join('\n')}\nTry --dry-run.`);
}

async function prepare(directory: string): Promise<ReleasePlan> {
  await mkdir(directory, { recursive: true });
  // Loaded here: publishing runs without what is installed for building.
  const { prepareRelease } = await import('./release/prepare-release.ts');
  const plan = await prepareRelease(directory);
  const named = plan.packages.map((each) => ({ ...each, archive: basename(each.archive), sbom: basename(each.sbom) }));
  await writeFile(join(directory, planFile), `${JSON.stringify({ ...plan, packages: named }, null, 2)}\n`);
  return plan;
}

async function read(directory: string): Promise<ReleasePlan> {
  const plan = JSON.parse(await readFile(join(directory, planFile), 'utf8')) as ReleasePlan;
  return {
    ...plan,
    packages: plan.packages.map((each) => ({ ...each, archive: join(directory, each.archive), sbom: join(directory, each.sbom) })),
  };
}
