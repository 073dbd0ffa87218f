import { join } from 'node:path';
import { writePackageDocs } from './package-docs.ts';
import { runAll } from './run-all.ts';
import { runCommand } from './run-command.ts';
import { publishedPackages, type WorkspacePackage } from './workspace.ts';

/** A package and the archive that would be published. */
export interface PackedPackage extends WorkspacePackage {
  /** Absolute path of the `.tgz`. */
  readonly archive: string;
  /** Paths in the archive, from the package's root. */
  readonly files: readonly string[];
}

/**
 * Packs every published package as `pnpm publish` would, into `directory`, with the pages of `docs` that belong to it.
 *
 * @throws {Error} with pnpm's words, where a package cannot be packed
 */
export function packPackages(directory: string): Promise<PackedPackage[]> {
  return runAll(publishedPackages(), 2, async (workspacePackage) => {
    writePackageDocs(workspacePackage);
    const command = ['pnpm', 'pack', '--json', '--pack-destination', directory];
    const { ok, output } = await runCommand(command, { directory: workspacePackage.directory });
    if (!ok) throw new Error(`${workspacePackage.path} cannot be packed:\n${output}`);
    const packed = JSON.parse(output.slice(output.indexOf('{'))) as { filename: string; files: { path: string }[] };
    return {
      ...workspacePackage,
      archive: join(directory, packed.filename.split('/').at(-1) ?? ''),
      files: packed.files.map(({ path }) => path),
    };
  });
}
