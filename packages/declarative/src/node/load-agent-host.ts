import { messageOf } from '@repertoire/skills-core/internal';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SkillError } from '@repertoire/skills-core';
import type { CompileAgentOptions } from '../api/compile-agent-options.ts';
import type { ReadAgentFileOptions } from './load-agent-file.ts';

/** What a host module exports: every option except those that identify the file. */
export type AgentHost = Omit<CompileAgentOptions, 'basePath' | 'within' | 'sources' | 'fileName' | 'signal'> & ReadAgentFileOptions;

/**
 * Reads the host's options from the default export of a module: the options, or a function that
 * returns them. **The module is executed**, so it must be the host's own, never one that an agent's
 * file names. The caller passes the import function, so that this package contains no dynamic
 * import.
 *
 * @param importModule imports the module from its `file:` URL: `(url) => import(url)`
 *
 * @throws {SkillError} `source-unavailable` if the module cannot be imported; `invalid-options` if
 *   its default export is neither an object nor a function that returns one
 * @example
 * ```ts
 * import { loadAgentFile, loadAgentHost } from '@repertoire/declarative/node';
 *
 * export const graph = await loadAgentFile('agents/support.agent.yaml', await loadAgentHost('agents/host.ts', (url) => import(url)));
 * ```
 */
export async function loadAgentHost(path: string | URL, importModule: (url: string) => Promise<unknown>): Promise<AgentHost> {
  const file = resolve(typeof path === 'string' ? path : fileURLToPath(path));
  const given = (await imported(file, importModule))?.default;
  const host: unknown = typeof given === 'function' ? await (given as () => unknown)() : given;
  if (typeof host === 'object' && host !== null && !Array.isArray(host)) return host;
  throw new SkillError(
    'invalid-options',
    `The default export of ${JSON.stringify(file)} gives no options. Write: export default { models: { main: model }, tools: [] };`,
    { path: file },
  );
}

async function imported(
  file: string,
  importModule: (url: string) => Promise<unknown>,
): Promise<{ readonly default?: unknown } | null | undefined> {
  try {
    return (await importModule(pathToFileURL(file).href)) as { readonly default?: unknown } | null | undefined;
  } catch (cause) {
    const why = messageOf(cause);
    throw new SkillError('source-unavailable', `The module ${JSON.stringify(file)} cannot be imported: ${why}`, { path: file, cause });
  }
}
