import type { PluginProvider } from '@repertoire/agent-plugins';
import type { SkillProvider } from '@repertoire/skills-core';
import type { CreateSkillLockOptions } from '@repertoire/skill-trust/lock';
import type { OpenedSource } from '../source/open-source.ts';

/** Whether a source is one of plugins. */
export function isPluginProvider(provider: SkillProvider): provider is PluginProvider {
  return 'listPlugins' in provider;
}

/** The plugins of opened sources, for a lock. */
export async function pinnedOfSource(
  { parts }: OpenedSource,
  signal: AbortSignal,
): Promise<NonNullable<CreateSkillLockOptions['plugins']>> {
  const providers = parts.map(({ provider }) => provider).filter(isPluginProvider);
  if (providers.length === 0) return [];
  const { pinnedPlugins } = await import('@repertoire/agent-plugins');
  return (await Promise.all(providers.map((provider) => pinnedPlugins(provider, { signal })))).flat();
}
