import { pathToFileURL } from 'node:url';
import type { AgentHost } from '@repertoire/declarative/node';
import { SkillError } from '@repertoire/skills-core';
import { messageOf } from '@repertoire/skills-core/internal';
import { importHostModule } from './import-host-module.ts';

/**
 * Reads the host's options from the default export of a module: the options, or a function that
 * returns them. **The module is executed**, so it must be the host's own, never one that an agent's
 * file names.
 *
 * @throws {SkillError} `source-unavailable` if the module cannot be imported; `invalid-options` if
 *   its default export is neither an object nor a function that returns one
 */
export async function loadAgentHost(file: string): Promise<AgentHost> {
  const given = (await imported(file))?.default;
  const host: unknown = typeof given === 'function' ? await (given as () => unknown)() : given;
  if (typeof host === 'object' && host !== null && !Array.isArray(host)) return host;
  throw new SkillError(
    'invalid-options',
    `The default export of ${JSON.stringify(file)} gives no options. Write: export default { models: { main: model }, tools: [] };`,
    { path: file },
  );
}

async function imported(file: string): Promise<{ readonly default?: unknown } | null | undefined> {
  try {
    return (await importHostModule(pathToFileURL(file).href)) as { readonly default?: unknown } | null | undefined;
  } catch (cause) {
    const why = messageOf(cause);
    throw new SkillError('source-unavailable', `The module ${JSON.stringify(file)} cannot be imported: ${why}`, { path: file, cause });
  }
}
