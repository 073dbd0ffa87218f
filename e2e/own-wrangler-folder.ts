import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with a copy of a Worker's configuration. What wrangler makes lies in it, too, also what a killed one leaves behind. */
export interface OwnWranglerFolder extends AsyncDisposable {
  /** The file of the configuration. */
  readonly configuration: string;
  /** Where a Worker may keep things, for `--persist-to`. */
  readonly state: string;
  /**
   * From now on a start takes what the `wrangler dev` that was killed had bundled, also one in a later folder of the same Worker: to bundle costs as much as all else of
   * a start. One that runs would start again.
   */
  keepBundle(): Promise<void>;
}

/** What was bundled, by the folder of the Worker. */
const bundles = new Map<string, string>();

/** @param folder the folder of the Worker, with its `wrangler.jsonc` */
export async function ownWranglerFolder(folder: string): Promise<OwnWranglerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'own-wrangler-'));
  const configuration = join(path, 'wrangler.jsonc');
  const given = await readFile(join(folder, 'wrangler.jsonc'), 'utf8');
  const write = async (text: string, main: (given: string) => object): Promise<void> => {
    const entries = (entry: string): string => JSON.stringify(main(entry)).slice(1, -1);
    await writeFile(
      configuration,
      text.replace(/"main": "([^"]+)"/, (_, entry: string) => entries(entry)),
    );
  };
  const take = async (bundle: string): Promise<void> => {
    // In a folder of its own: wrangler takes all scripts beside it for modules of the Worker.
    const kept = join(path, 'bundle/worker.js');
    await mkdir(join(path, 'bundle'), { recursive: true });
    await writeFile(kept, bundle);
    // What is to be run before bundling has been run.
    await write(given.replace(/"build": \{[^}]*\},/, ''), () => ({ main: kept, no_bundle: true }));
  };
  const bundled = bundles.get(folder);
  if (bundled === undefined) await write(given, (main) => ({ main: join(folder, main) }));
  else await take(bundled);
  return {
    configuration,
    state: join(path, 'state'),
    async keepBundle() {
      if (bundles.has(folder)) return;
      const [file, ...more] = globSync(join(path, '.wrangler/tmp/dev-*/*.js'));
      if (file === undefined || more.length > 0)
        throw new Error(`There is not one bundle in ${path}, but ${file === undefined ? 0 : more.length + 1}.`);
      const bundle = await readFile(file, 'utf8');
      bundles.set(folder, bundle);
      await take(bundle);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
