/** Where the skills lie below the folder. */
export type SkillFilesLayout = 'folder' | 'plugin' | 'claude' | 'agents' | 'eve';

/** The path of the skills folder, by layout. */
export const skillFolders: Readonly<Record<SkillFilesLayout, readonly string[]>> = {
  folder: [],
  plugin: ['skills'],
  claude: ['.claude', 'skills'],
  agents: ['.agents', 'skills'],
  eve: ['agent', 'skills'],
};

/** `plugin.json` of a plugin of Claude Code, which only needs a name. */
export function pluginManifest(name: string): string {
  return `${JSON.stringify({ name, description: `Skills of ${name}.` }, undefined, 2)}\n`;
}
