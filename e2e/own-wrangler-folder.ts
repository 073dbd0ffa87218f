import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workerdAgain } from './workerd-again.ts';
import { wranglerDev, type RunningWorker, type WranglerDevOptions } from './wrangler-dev.ts';

/**
 * A folder with a copy of a Worker's configuration. What wrangler makes lies in it, too, also what
 * a killed one leaves behind.
 */
export interface OwnWranglerFolder extends AsyncDisposable {
  /** Where the Worker keeps things. */
  readonly state: string;
  /**
   * Starts the Worker by `wrangler dev`. When one was killed, each later start is one of workerd
   * alone, with what wrangler had bundled, also one in a later folder of the same Worker.
   */
  start(options?: Pick<WranglerDevOptions, 'variables' | 'readyPath'>): Promise<RunningWorker>;
}

/** What was bundled, by the folder of the Worker. */
const bundles = new Map<string, string>();

/** @param folder the folder of the Worker, with its `wrangler.jsonc` */
export async function ownWranglerFolder(folder: string): Promise<OwnWranglerFolder> {
  const path = await mkdtemp(join(tmpdir(), 'own-wrangler-'));
  const state = join(path, 'state');
  const configuration = join(path, 'wrangler.jsonc');
  const given = await readFile(join(folder, 'wrangler.jsonc'), 'utf8');
  await writeFile(
    configuration,
    given.replace(/"main": "([^"]+)"/, (_, main: string) => `"main": ${JSON.stringify(join(folder, main))}`),
  );
  const keepBundle = async (): Promise<void> => {
    const [file, ...more] = globSync(join(path, '.wrangler/tmp/dev-*/*.js'));
    if (file === undefined || more.length > 0)
      throw new Error(`There is not one bundle in ${path}, but ${file === undefined ? 0 : more.length + 1}.`);
    bundles.set(folder, await readFile(file, 'utf8'));
  };
  return {
    state,
    async start({ variables = {}, ...more } = {}) {
      const bundle = bundles.get(folder);
      if (bundle !== undefined) return await workerdAgain({ configuration: given, bundle, persistTo: state, variables });
      const worker = await wranglerDev(folder, { configuration, persistTo: state, variables, ...more });
      return {
        ...worker,
        async kill() {
          await worker.kill();
          if (!bundles.has(folder)) await keepBundle();
        },
      };
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
