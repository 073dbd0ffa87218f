import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { embeddedPostgres } from '../../packages/skill-workflow/src/pglite.ts';
import { isWritable } from '../../tools/is-writable.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

/** What the data depends on: the version of PGlite, and how we start it. */
const code = join(repositoryRoot, 'packages/skill-workflow/src/node/embedded-postgres.ts');
const manifest = findPackageJSON('@electric-sql/pglite', pathToFileURL(code)) ?? '';
const caches = join(repositoryRoot, 'node_modules/.cache');

/** Gives a folder the data of an embedded PostgreSQL that was never used. To make it takes six seconds of CPU: that happens once, and to copy it takes none. */
export async function copyPgliteData(folder: string): Promise<void> {
  // An ordinary user in a checkout of root's has no place for it, and makes the data.
  if (!isWritable(dirname(caches))) return;
  const key = createHash('sha256').update(readFileSync(manifest)).update(readFileSync(code)).digest('hex');
  const kept = join(caches, `pglite-${key.slice(0, 16)}`);
  if (!existsSync(kept)) {
    await mkdir(caches, { recursive: true });
    const fresh = await mkdtemp(`${kept}.`);
    await (await embeddedPostgres({ folder: fresh }))[Symbol.asyncDispose]();
    // Somebody else may have been faster.
    await rename(fresh, kept).catch(async (error: unknown) => {
      await rm(fresh, { recursive: true, force: true });
      if (!existsSync(kept)) throw error;
    });
  }
  await cp(kept, folder, { recursive: true });
}
