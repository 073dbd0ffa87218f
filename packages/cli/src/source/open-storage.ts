import type { SkillProvider } from '@repertoire/skills-core';
import type { CommandIo } from '../commands/command.ts';
import type { PublishTarget } from '../publish/publish-target.ts';

/**
 * Opens storage that `publish` wrote. Credentials come from the environment, as for `publish`.
 *
 * @throws {SkillError} `invalid-options` that names the environment variables that are missing
 */
export async function openStorage(target: PublishTarget, label: string, env: CommandIo['env']): Promise<SkillProvider> {
  const { openTarget } = await import('../publish/open-target.ts');
  const { storageSkillProvider } = await import('@repertoire/skill-storage');
  const { store } = await openTarget(target, { env });
  return storageSkillProvider({ store, label, prefix: target.prefix });
}
