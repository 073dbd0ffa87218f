import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '@repertoire/skill-fs/internal';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { maxAnswerBytes } from '../servers/bounded-answers.ts';
import { launchPlan } from '../servers/launch-plan.ts';
import type { StartPluginServer } from '../servers/plugin-servers-options.ts';

/** Options of {@link stdioServers}. */
export interface StdioServersOptions {
  /** The host's folder for data of plugins, one for each, kept over updates. */
  readonly data: string;
  /** Base environment, which `mcp.json` overrides. @default PATH, HOME and the like */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

const known: OptionRules<StdioServersOptions> = { data: 'string', environment: '{}' };

/**
 * Starts the servers of plugins that are programs, by section 9 of the standard. No shell is
 * involved. Just before the start, command and working directory are checked again with all links
 * followed. A server whose command or folder leaves the plugin and its data is not started.
 *
 * @throws {SkillError} `invalid-options`
 */
export function stdioServers(options: StdioServersOptions): StartPluginServer {
  assertKnownOptions('stdioServers', options, known);
  if (typeof options.data !== 'string' || options.data === '')
    throw new SkillError('invalid-options', 'Option "data" of stdioServers has to be a folder.');
  return async ({ plugin, stdio, secrets }) => {
    if (plugin.files.uri?.startsWith('file:') !== true)
      throw new SkillError('unsupported', 'it is a program of a plugin that is not in a folder of this machine');
    // Imported here, because only hosts that start programs need the package.
    const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const root = await realpath(fileURLToPath(plugin.files.uri));
    // Of this plugin at this place: another one may have its name.
    const home = path.resolve(options.data, `${plugin.manifest.name}-${(await sha256Hex(new TextEncoder().encode(root))).slice(0, 16)}`);
    await mkdir(home, { recursive: true, mode: 0o700 });
    const data = await realpath(home);
    const { command, args, env, cwd } = launchPlan(stdio, {
      root,
      data,
      base: options.environment ?? getDefaultEnvironment(),
      ignoresCase: process.platform === 'win32',
    });
    if (stdio.command.startsWith('./')) await assertInside(command, root, 'command');
    const isData = stdio.cwd?.startsWith('${PLUGIN_DATA}') === true;
    if (isData) await makeFolders(data, cwd);
    await assertInside(cwd, isData ? data : root, 'cwd');
    const taken = Object.keys(secrets).find((name) => name === 'PLUGIN_ROOT' || name === 'PLUGIN_DATA');
    if (taken !== undefined) throw new SkillError('permission-denied', `a secret must not take the place of ${taken}`);
    // A client tries the newest protocol on a second process, unless the transport is of another
    // class.
    class OneProcess extends StdioClientTransport {}
    return new OneProcess({ command, args: [...args], env: { ...env, ...secrets }, cwd, stderr: 'ignore', maxBufferSize: maxAnswerBytes });
  };
}

/**
 * Creates and checks the folders one by one, so that none is created behind a link that leads out.
 */
async function makeFolders(data: string, folder: string): Promise<void> {
  let here = data;
  for (const segment of path.relative(data, folder).split(path.sep).filter(Boolean)) {
    here = path.join(here, segment);
    await mkdir(here, { mode: 0o700 }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
    await assertInside(here, data, 'cwd');
  }
}

async function assertInside(target: string, folder: string, what: string): Promise<void> {
  if (!isInside(folder, await realpath(target)))
    throw new SkillError('permission-denied', `its ${what} leads out of ${JSON.stringify(path.basename(folder))}`);
}
