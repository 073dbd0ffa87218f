import { isJsonObject } from '@repertoire/skills-core/internal';
import type { McpCall } from './mcp-call.ts';
import { isNotThere } from './mcp-call.ts';
import { pathInSkill } from '../protocol/skill-uri.ts';
import { foundFile, type McpFoundFile } from '../protocol/skills-extension.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { walkPages, type WalkedPages } from './walk-pages.ts';

/** The files of a `"dynamic"` skill, by walking its folders within limits. */
export async function listDirectory(
  call: McpCall,
  { location }: IndexedSkill,
  settings: McpSkillSettings,
): Promise<{ readonly files: ReadonlyMap<string, McpFoundFile>; readonly complete: boolean }> {
  const files = new Map<string, McpFoundFile>();
  let complete = true;
  const seen = new Set<string>();
  const folders = [location.root.slice(0, -1)];
  for (let folder = folders.shift(); folder !== undefined && seen.size < settings.limits.files; folder = folders.shift()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    const children = await childrenOf(call, folder, settings);
    if (!children.complete) complete = false;
    for (const child of children.items.filter(isJsonObject)) {
      const path = pathInSkill(location.root, child['uri']);
      if (path === null) continue;
      if (files.size >= settings.limits.files) complete = false;
      else if (child['mimeType'] === 'inode/directory') folders.push(String(child['uri']));
      else files.set(path, foundFile(child));
    }
  }
  return { files, complete: complete && folders.length === 0 };
}

async function childrenOf(call: McpCall, uri: string, settings: McpSkillSettings): Promise<Pick<WalkedPages, 'items' | 'complete'>> {
  try {
    return await walkPages(call, { method: 'resources/directory/read', params: { uri }, itemsKey: 'resources' }, settings);
  } catch (error) {
    if (isNotThere(error)) return { items: [], complete: true };
    throw error;
  }
}
