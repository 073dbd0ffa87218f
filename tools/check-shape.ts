/**
 * Packs every published package and looks at the archive as its users get it: publint, attw, and that it names no file it does not hold. All in one process: to load the
 * compiler of attw takes longer than most packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackages, type PackedPackage } from './pack-packages.ts';
import type { PackageManifest } from './workspace.ts';

/** How nobody resolves packages that are ES modules alone. */
const otherResolutions: readonly string[] = ['node10', 'node16-cjs'];

const directory = await mkdtemp(join(tmpdir(), 'repertoire-shape-'));
try {
  const problems: string[] = [];
  for (const packed of await packPackages(directory)) problems.push(...(await checkArchive(packed)));
  if (problems.length > 0) {
    console.log(problems.join('\n'));
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function checkArchive(packed: PackedPackage): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(packed.archive));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true, level: 'warning' });
  const types = await checkPackage(createPackageFromTarballData(bytes));
  const wrongTypes = types.types === false ? [] : types.problems;
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`),
    ...wrongTypes
      .filter((problem) => !('resolutionKind' in problem) || !otherResolutions.includes(problem.resolutionKind))
      .map((problem) => `attw: ${JSON.stringify(problem)}`),
    ...missingFiles(packed),
  ].map((problem) => `${packed.path}: ${problem}`);
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
