import { globSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with a copy of a Worker's configuration. What wrangler makes lies in it, too, also what a killed one leaves behind. */
export interface OwnWranglerFolder extends AsyncDisposable {
  /** The file of the configuration. */
  readonly configuration: string;
  /** Where a Worker may keep things, for `--persist-to`. */
  readonly state: string;
  /** From now on a start takes what the `wrangler dev` that was killed had bundled: to bundle costs as much as all else of a start. One that runs would start again. */
  keepBundle(): Promise<void>;
}

/** @param folder the folder of the Worker, with its `wrangler.jsonc` */
export async function ownWranglerFolder(folder: string): Promise<OwnWranglerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'own-wrangler-'));
  const configuration = join(path, 'wrangler.jsonc');
  const given = await readFile(join(folder, 'wrangler.jsonc'), 'utf8');
  const write = async (settings: (main: string) => object): Promise<void> => {
    const entries = (main: string): string => JSON.stringify(settings(main)).slice(1, -1);
    await writeFile(
      configuration,
      given.replace(/"main": "([^"]+)"/, (_, main: string) => entries(main)),
    );
  };
  await write((main) => ({ main: join(folder, main) }));
  return {
    configuration,
    state: join(path, 'state'),
    async keepBundle() {
      const [bundle, ...more] = globSync(join(path, '.wrangler/tmp/dev-*/*.js'));
      if (bundle === undefined || more.length > 0)
        throw new Error(`There is not one bundle in ${path}, but ${bundle === undefined ? 0 : more.length + 1}.`);
      // In a folder of its own: wrangler takes all scripts beside it for modules of the Worker.
      const kept = join(path, 'bundle/worker.js');
      await mkdir(join(path, 'bundle'));
      await copyFile(bundle, kept);
      await write(() => ({ main: kept, no_bundle: true }));
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
