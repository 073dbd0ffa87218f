import { createHash } from 'node:crypto';
import { decodeText } from '@repertoire/skills-core/provider';
import { readCheckedSkillMd } from '../source/read-checked-skill-md.ts';
import { isInFolder, type FoundSkill, type ServedSkill } from '../source/skills-of-source.ts';
import type { LintFile, LintSkill } from './lint-rule.ts';
import { filesBelow, maxFiles, maxTextBytes, maxTotalBytes, readTexts, type FolderFile } from './skill-files.ts';

type FilesOfSkill = Pick<LintSkill, 'files' | 'unread' | 'uri'>;

/**
 * Reads a skill for rules: from its folder, where links are not followed, or what its source
 * serves. `null` for a folder without SKILL.md.
 *
 * @param below the files of its folder, where they were listed before
 * @param leftOut what is in its folder and not among these files
 * @throws {SkillError} `limit-exceeded` for a SKILL.md of more than 16 MiB; `source-unavailable`
 *   for one that cannot be read; what the source rejects with
 */
export async function readLintSkill(
  skill: FoundSkill,
  signal: AbortSignal,
  below?: readonly FolderFile[],
  leftOut: readonly string[] = [],
): Promise<LintSkill | null> {
  // What did not change since the last time is not read, and then the parser of YAML is not needed.
  const { lintSkillOf, maxSkillMdBytes } = await import('./lint-skill-of.ts');
  const source = await readCheckedSkillMd(skill, maxSkillMdBytes, signal);
  if (source === null) return null;
  const own = { ...lintSkillOf(source.bytes, source.directoryName, source.path), folder: skill.folder };
  if (!isInFolder(skill)) return { ...own, ...(await filesOf(skill, signal)) };
  const digest = createHash('sha256').update(`${source.path}\0${source.bytes.length}\0`).update(source.bytes);
  const others = (below ?? filesBelow(skill.folder)).filter(({ path: inner }) => inner !== skill.file);
  digest.update(leftOut.join('\0'));
  return { ...own, ...readTexts(skill.folder, others, digest), leftOut, digest: digest.digest('base64') };
}

/** The files that a source serves. Whether they may be executed, it does not say. */
async function filesOf({ provider, metadata: { name, version } }: ServedSkill, signal: AbortSignal): Promise<FilesOfSkill> {
  const skill = await provider.getSkill(name, { version, signal });
  const resources = skill?.resources ?? [];
  const files: LintFile[] = [];
  const unread = resources.slice(maxFiles).map(({ path: file }) => file);
  let left = maxTotalBytes;
  for (const { path: file, size = 0 } of resources.slice(0, maxFiles)) {
    const room = Math.min(maxTextBytes, left);
    const resource = size > room ? null : await provider.readResource(name, file, { version, maxBytes: room + 1, signal });
    const bytes = resource === null || resource.bytes.length > room ? null : resource.bytes;
    if (bytes === null) unread.push(file);
    else left -= bytes.length;
    files.push({ path: file, isExecutable: null, text: bytes === null ? null : decodeText(bytes) });
  }
  return { files, unread, ...(skill?.origin?.uri !== undefined && { uri: skill.origin.uri }) };
}
