import { messageOf } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { archiveError } from './archive-error.ts';
import { ArchiveFiles, maxUnpackedBytes } from './archive-files.ts';
import type { ArchiveLimits } from './archive-limits.ts';

/** What was in an archive. */
export interface UnpackedArchive {
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The folder that contained all files, if SKILL.md was not at the top of the archive. */
  readonly wrapper: string | undefined;
  /** Paths of files that were left out because an archiver added them. */
  readonly litter: readonly string[];
}

const blockBytes = 512;

/**
 * Unpacks a tar.gz or zip in memory, and loads what reads it: most sites have none. Its first bytes
 * decide the format, because names and media types can be wrong. One bad entry refuses the whole
 * archive.
 *
 * @throws {SkillError} `limit-exceeded`, `invalid-path`, `invalid-skill`
 */
export async function unpackArchive(packed: Uint8Array, limits: ArchiveLimits): Promise<UnpackedArchive> {
  const files = new ArchiveFiles(limits, packed.length);
  try {
    if (packed[0] === 0x1f && packed[1] === 0x8b) {
      // Room for the header, the padding and a long name of each entry, and for the end of the tar.
      const overhead = limits.files * 6 * blockBytes + 1024 * 1024;
      const { readTarGz } = await import('./read-tar-gz.ts');
      await readTarGz(packed, files, maxUnpackedBytes(limits, packed.length) + overhead);
    } else if (packed[0] === 0x50 && packed[1] === 0x4b) {
      const { readZip } = await import('./read-zip.ts');
      await readZip(packed, files, limits.files);
    } else {
      throw archiveError('invalid-skill', 'is neither a tar.gz nor a zip.');
    }
  } catch (error) {
    if (SkillError.isInstance(error)) throw error;
    throw archiveError('invalid-skill', `is damaged: ${messageOf(error)}.`, error);
  }
  return files.result();
}
