import type { McpCall } from './mcp-call.ts';
import { isNotThere } from './mcp-call.ts';
import { pathInSkill } from '../protocol/skill-uri.ts';
import { isRecord } from '../protocol/skills-extension.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { walkPages } from './walk-pages.ts';

/** The files of a skill whose content is `"dynamic"`, by walking its folders. Bounded like everything else; nothing of it is promised. */
export async function listDirectory(
  call: McpCall,
  { location }: IndexedSkill,
  settings: McpSkillSettings,
): Promise<ReadonlyMap<string, { readonly uri: string; readonly size?: number }>> {
  const files = new Map<string, { uri: string; size?: number }>();
  const seen = new Set<string>();
  const folders = [location.root.slice(0, -1)];
  for (let folder = folders.shift(); folder !== undefined && seen.size < settings.limits.files; folder = folders.shift()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const children = await childrenOf(call, folder, settings);
    for (const { uri, mimeType, size } of children.filter(isRecord)) {
      const path = pathInSkill(location.root, uri);
      if (path === null || files.size >= settings.limits.files) continue;
      if (mimeType === 'inode/directory') folders.push(uri as string);
      else files.set(path, { uri: uri as string, ...(typeof size === 'number' && size >= 0 && { size }) });
    }
  }
  return files;
}

async function childrenOf(call: McpCall, uri: string, settings: McpSkillSettings): Promise<readonly unknown[]> {
  try {
    return (await walkPages(call, { method: 'resources/directory/read', params: { uri }, itemsKey: 'resources' }, settings)).items;
  } catch (error) {
    if (isNotThere(error)) return [];
    throw error;
  }
}
