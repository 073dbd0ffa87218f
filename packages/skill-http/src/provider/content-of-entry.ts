import { skillDigestFromFileDigests, sha256Hex } from '@repertoire/skills-core/provider';
import type { SizedCache } from '@repertoire/skills-core/internal';
import type { SkillEntry } from '../discovery/skill-entry.ts';

/** What an archive contains. It is computed once, because an archive is named by its digest. */
export interface ArchiveContent {
  /** As `SkillMetadata.content`. */
  readonly content: string;
  /** SHA-256 of each file besides `SKILL.md`, by path. */
  readonly digests: ReadonlyMap<string, string>;
}

/**
 * The content of a skill, from the index or from an archive that was read before.
 *
 * @returns `undefined` for files without digests, and for an archive that was not read yet
 */
export async function contentOfEntry({ content }: SkillEntry, archives: SizedCache<ArchiveContent>): Promise<string | undefined> {
  if (content.kind !== 'files') {
    return content.kind === 'archive'
      ? archives.get(content.digest)?.content
      : await skillDigestFromFileDigests({ 'SKILL.md': content.digest });
  }
  const digests: Record<string, string> = {};
  for (const [path, { digest }] of content.files) {
    if (digest === undefined) return undefined;
    digests[path] = digest;
  }
  return Object.hasOwn(digests, 'SKILL.md') ? await skillDigestFromFileDigests(digests) : undefined;
}

/** Hashes what an archive holds. */
export async function archiveContent(main: Uint8Array, files: ReadonlyMap<string, Uint8Array>): Promise<ArchiveContent> {
  const digests = new Map<string, string>();
  for (const [path, bytes] of files) digests.set(path, await sha256Hex(bytes));
  const content = await skillDigestFromFileDigests({ ...Object.fromEntries(digests), 'SKILL.md': await sha256Hex(main) });
  return { content, digests };
}
