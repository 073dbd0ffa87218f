import { decodeText } from '@repertoire/skills-core/provider';
import { readCheckedSkillMd } from '../source/read-checked-skill-md.ts';
import { isInFolder, type FoundSkill, type ServedSkill } from '../source/skills-of-source.ts';
import type { LintFile, LintSkill } from './lint-rule.ts';
import { filesBelow, maxFiles, maxTextBytes, maxTotalBytes, readTexts, type FolderFile } from './skill-files.ts';

const maxSkillBytes = 16 * 2 ** 20;

type FilesOfSkill = Pick<LintSkill, 'files' | 'unread' | 'uri'>;

/**
 * Reads a skill for rules: from its folder, where links are not followed, or what its source
 * serves. `null` for a folder without SKILL.md.
 *
 * @param below the files of its folder, where they were listed before
 * @throws {SkillError} `limit-exceeded` for a SKILL.md of more than 16 MiB; `source-unavailable`
 *   for one that cannot be read; what the source rejects with
 */
export async function readLintSkill(skill: FoundSkill, signal: AbortSignal, below?: readonly FolderFile[]): Promise<LintSkill | null> {
  const source = await readCheckedSkillMd(skill, maxSkillBytes, signal);
  if (source === null) return null;
  const { bytes, directoryName, path: file } = source;
  // What did not change since the last time is not read, and then the parser of YAML is not needed.
  const { parseSkillMd } = await import('@repertoire/skills-core/skill-md');
  const options = { directoryName, path: file, maxBytes: maxSkillBytes };
  const parsed = parseSkillMd(bytes, options);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return {
    folder: skill.folder,
    path: file,
    name: parsed.metadata?.name ?? directoryName,
    text,
    parsed,
    strict: parseSkillMd(bytes, { ...options, profile: 'strict' }).diagnostics,
    bodyLine: bodyLineOf(text, parsed.body),
    ...(isInFolder(skill)
      ? readTexts(
          skill.folder,
          (below ?? filesBelow(skill.folder)).filter(({ path: inner }) => inner !== skill.file),
        )
      : await filesOf(skill, signal)),
  };
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

/** The body is trimmed, with one form of line ends, so its place is found by its first line. */
function bodyLineOf(text: string, body: string): number {
  const first = body.slice(0, 200).split('\n', 1)[0] ?? '';
  if (first === '') return 1;
  const lines = text.split(/\r\n|\r|\n/);
  const closing = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  const at = lines.findIndex((line, index) => index > closing && line.trim().startsWith(first.trim()));
  return at === -1 ? 1 : at + 1;
}
