import { SkillError, type SkillLock } from '@repertoire/skills-core';
import { changedFiles, fieldOf } from '@repertoire/skills-core/internal';
import { pinnedPlugin } from '../policy/pinned-plugins.ts';
import type { PluginServerRequest } from './plugin-servers-options.ts';

/**
 * Refuses a server that is not as pinned. All files of the plugin count, because a server may be
 * one of them, or read any of them.
 *
 * @throws {SkillError} `digest-mismatch`, saying what differs
 */
export async function assertPinned({ plugin, server }: PluginServerRequest, { plugins = [] }: SkillLock): Promise<void> {
  const entry = plugins.find(({ name }) => name === plugin.manifest.name);
  if (entry === undefined) throw new SkillError('digest-mismatch', 'its plugin is not pinned');
  const now = await pinnedPlugin(plugin, entry.source, {});
  if (now.digest === entry.digest) return;
  const [was, is] = [fieldOf(entry.servers, server), fieldOf(now.servers, server)];
  if (was !== is) throw new SkillError('digest-mismatch', `it is ${String(is)}, and was pinned as ${String(was ?? 'no server')}`);
  const changed = Object.values(changedFiles(Object.entries(entry.files), Object.entries(now.files)))
    .flat()
    .sort();
  const more = changed.length > 5 ? ` and ${changed.length - 5} more` : '';
  throw new SkillError('digest-mismatch', `files of its plugin are not as pinned: ${changed.slice(0, 5).join(', ')}${more}`);
}
