import type { SkillResourceEntry, SkillResourceKind } from './skill-provider.ts';
import { mediaTypeOf } from './media-type.ts';

const kindByFolder: Readonly<Record<string, SkillResourceKind>> = {
  scripts: 'script',
  references: 'reference',
  reference: 'reference',
  assets: 'asset',
  templates: 'asset',
  examples: 'example',
};

/** Folders of the standard. Others, such as `examples`, may hold skills. */
const standardFolders: ReadonlySet<string> = new Set(['scripts', 'references', 'assets']);

/** What a file is for, by its folder (Agent Skills specification, "Optional directories"). */
function resourceKindOf(path: string): SkillResourceKind {
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')).toLowerCase() : '';
  return Object.hasOwn(kindByFolder, folder) ? (kindByFolder[folder] ?? 'other') : 'other';
}

/**
 * Whether a folder of a skill has one of the names that the standard gives to folders of resources.
 * What is in it belongs to the skill, also a `SKILL.md`, which is an example or a template there.
 *
 * Source: Agent Skills specification, "Optional directories".
 */
export function isResourceFolder(name: string): boolean {
  return standardFolders.has(name);
}

/**
 * Makes one line of a skill's list of files from what a source knows of it.
 *
 * @example
 * ```ts
 * import { resourceEntry } from '@repertoire/skills-core/provider';
 *
 * export const entry = resourceEntry('scripts/run.py', { size: 120 }); // kind: 'script', mediaType: 'text/x-python'
 * ```
 */
export function resourceEntry(
  path: string,
  known: { readonly size?: number; readonly mediaType?: string; readonly digest?: string; readonly description?: string } = {},
): SkillResourceEntry {
  return {
    path,
    kind: resourceKindOf(path),
    mediaType: known.mediaType ?? mediaTypeOf(path),
    ...(known.size !== undefined && { size: known.size }),
    ...(known.digest !== undefined && { digest: known.digest }),
    ...(known.description !== undefined && { description: known.description }),
  };
}
