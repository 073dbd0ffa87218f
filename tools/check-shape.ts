/**
 * Packs every published package and looks at the archive as its users get it: publint, attw, and that it names no file it does not hold.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages, type PackedPackage } from './pack-packages.ts';
import { runAll } from './run-all.ts';
import { runCommand } from './run-command.ts';
import type { PackageManifest } from './workspace.ts';

const directory = await mkdtemp(join(tmpdir(), 'repertoire-shape-'));
try {
  const packed = await packPackages(directory);
  const findings = await runAll(packed, availableParallelism(), checkArchive);
  const problems = findings.flat();
  if (problems.length > 0) {
    console.log(problems.join('\n'));
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function checkArchive(packed: PackedPackage): Promise<string[]> {
  const publint = await runCommand(['publint', 'run', packed.archive, '--strict', '--level', 'warning']);
  const attw = await runCommand(['attw', packed.archive, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji']);
  return [
    ...(publint.ok ? [] : [`${packed.path}: publint\n${publint.output}`]),
    ...(attw.ok ? [] : [`${packed.path}: attw\n${attw.output}`]),
    ...missingFiles(packed).map((problem) => `${packed.path}: ${problem}`),
  ];
}

/** What the packed `package.json` says, which differs from the one in the repository. */
function missingFiles({ archive, files }: PackedPackage): string[] {
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', archive, 'package/package.json'], { encoding: 'utf8' })) as PackageManifest;
  const targets = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return targets
    .filter((target) => !files.includes(target.replace(/^\.\//, '')))
    .map((target) => `\`exports\` names ${target}, which is not in the archive.`);
}
