import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { kvSkillStore, r2SkillStore, type KVNamespaceLike, type R2BucketLike, type SkillStore } from '@repertoire/skill-storage';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Where the local storage of `wrangler dev` is. */
export interface LocalBindingOptions {
  /** `r2` or `kv`. */
  readonly kind: 'r2' | 'kv';
  /** Name of the binding in wrangler's configuration. */
  readonly binding: string;
  /** The folder with wrangler's configuration. */
  readonly project: string;
  /** What `wrangler dev --persist-to` is given. @default the project's `.wrangler/state` */
  readonly persistTo?: string | undefined;
}

/** A store, and how to close it. */
export interface OpenStore {
  readonly store: SkillStore;
  dispose(): Promise<void>;
}

/** The called part of wrangler: the project's own copy, since other versions store differently. */
interface Wrangler {
  getPlatformProxy(options: {
    configPath: string;
    persist: { path: string };
    remoteBindings: false;
  }): Promise<{ readonly env: Readonly<Record<string, unknown>>; dispose(): Promise<void> }>;
}

/** In the order in which wrangler looks. */
const configurationNames = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * Opens a binding in the local storage that `wrangler dev` uses.
 *
 * @throws {SkillError} `invalid-options` where the project has no wrangler, no configuration, or no
 *   such binding
 */
export async function openLocalBinding({ kind, binding, project, persistTo }: LocalBindingOptions): Promise<OpenStore> {
  const configPath = configurationNames.map((name) => path.join(project, name)).find((file) => existsSync(file));
  if (configPath === undefined) {
    throw wrongUsage(`${project} has no ${configurationNames.join(', ')}. Give --project the folder of your Worker.`);
  }
  const wrangler = wranglerOf(project);
  const persist = { path: path.join(persistTo ?? path.join(project, '.wrangler', 'state'), 'v3') };
  const proxy = await wrangler.getPlatformProxy({ configPath, persist, remoteBindings: false });
  const found = Object.hasOwn(proxy.env, binding) ? proxy.env[binding] : undefined;
  const isThere = found !== undefined && typeof (found as Partial<R2BucketLike>).list === 'function';
  if (!isThere || 'head' in (found as object) !== (kind === 'r2')) {
    await proxy.dispose();
    const there = Object.keys(proxy.env).join(', ');
    throw wrongUsage(
      `${configPath} has no ${kind === 'r2' ? 'R2 bucket' : 'KV namespace'} with the binding ${JSON.stringify(binding)}. ${there === '' ? 'It has no bindings.' : `It has ${there}.`} With --local, the target is ${kind}://BINDING/prefix.`,
    );
  }
  return {
    store: kind === 'r2' ? r2SkillStore(found as R2BucketLike) : kvSkillStore(found as KVNamespaceLike),
    dispose: () => proxy.dispose(),
  };
}

function wranglerOf(project: string): Wrangler {
  const requireOfProject = createRequire(path.join(project, 'package.json'));
  try {
    requireOfProject.resolve('wrangler');
  } catch (cause) {
    throw wrongUsage(`${project} has no wrangler, which --local needs. Install it there: npm install --save-dev wrangler.`, {
      cause,
    });
  }
  const { getPlatformProxy } = requireOfProject('wrangler') as Partial<Wrangler>;
  if (getPlatformProxy !== undefined) return { getPlatformProxy };
  throw wrongUsage(`The wrangler of ${project} is too old for --local: it has no getPlatformProxy. Update it.`);
}
