import type { SkillProvider } from '@repertoire/skills-core';

/** The skills of an Agent Plugin, or of a folder of them. Nothing of a plugin is started. */
export async function openPlugin(folder: string, label: string): Promise<SkillProvider> {
  const [{ pluginProvider }, { pluginFolders }] = await Promise.all([
    import('@repertoire/agent-plugins'),
    import('@repertoire/agent-plugins/node'),
  ]);
  return pluginProvider({ roots: pluginFolders([folder], { trusted: false }), label, staleAfterMs: Infinity });
}
