import fs from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze, type ParseSkillMdOptions } from '@repertoire/skills-core/provider';
import type { DiskPace, Look } from './disk-pace.ts';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import { cardRecord } from './card-record.ts';
import { parseLevelOne, parseLevelOneNow } from './parse-skill.ts';
import { frontmatterBuffer, readFrontmatter, readFrontmatterNow, type FrontmatterRead } from './read-frontmatter.ts';
import { originOf } from './skill-origin.ts';
import { statSignature, type StatSignature } from './stat-signature.ts';

/** What is kept of a `SKILL.md`: its level 1, and how to tell that it changed. Deep-frozen where others get it. */
export interface SkillFileRecord {
  readonly file: SkillFile;
  /** `null` where the file could not be read: it is tried again next time. */
  readonly signature: StatSignature | null;
  /** Whether it starts with a frontmatter, which is what makes a folder a skill, though perhaps a broken one. */
  readonly framed: boolean;
  /** Level 1 with its origin. `null` if it is no usable skill; the diagnostics say why. */
  readonly metadata: SkillMetadata | null;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Where the files of the skill lie, if its manifest is a card. @default beside the file */
  readonly home?: SkillHome | undefined;
}

/** The folder of a skill whose manifest is a card. */
export interface SkillHome {
  readonly folder: string;
  /** The same by its real path. */
  readonly realFolder: string;
  /** Its `SKILL.md` by its real path; `null` if there is none. */
  readonly skillMd: string | null;
}

/** Real path of the folder that holds the files of a skill. */
export function realFolderOf({ file, home }: SkillFileRecord): string {
  return (home ?? file).realFolder;
}

/** How the `SKILL.md` files of one scan are read. Neither rejects: what is wrong with one skill is no matter of the others. */
export function recordLook(settings: FileSystemSettings, pace: DiskPace): Look<RecordWork, SkillFileRecord> {
  const ownBuffer = frontmatterBuffer();
  const freeBuffers: Buffer[] = [];
  const { frontmatterBytes } = settings.limits;
  return {
    now: (work) => {
      if (work.file.isCard) return undefined;
      const readAt = Date.now();
      try {
        const target = targetOf(work, settings, work.file.linked ? fs.realpathSync.native(work.file.path) : work.file.path);
        const read = pace.call(() => readFrontmatterNow(target, frontmatterBytes, ownBuffer));
        return recordOf(work, read, readAt, settings, parseLevelOneNow);
      } catch (error) {
        return brokenRecord(work.file, unreadable(work.file, error));
      }
    },
    later: async (work) => {
      if (work.file.isCard) return cardRecord(work, settings);
      const readAt = Date.now();
      const buffer = freeBuffers.pop() ?? frontmatterBuffer();
      try {
        const target = targetOf(work, settings, work.file.linked ? await realpath(work.file.path) : work.file.path);
        const read = await readFrontmatter(target, frontmatterBytes, buffer, pace);
        const record = recordOf(work, read, readAt, settings, parseLevelOneNow);
        if (record !== undefined) return record;
        const parsed = await parseLevelOne(read.head ?? '', parserOptions(work.file, settings));
        return recordOf(work, read, readAt, settings, () => parsed) as SkillFileRecord;
      } catch (error) {
        return brokenRecord(work.file, unreadable(work.file, error));
      } finally {
        freeBuffers.push(buffer);
      }
    },
  };
}

/** A file to read, and where it was found. */
export interface RecordWork {
  readonly file: SkillFile;
  readonly root: DiscoveredRoot;
}

class LeavesRoot extends Error {}

function targetOf({ file, root }: RecordWork, { links }: FileSystemSettings, real: string): string {
  // The walk has checked this; the link may have been changed since.
  if (file.linked && links === 'inside' && !isInside(root.realPath, real)) throw new LeavesRoot('its link leads out of the root');
  return real;
}

function recordOf(
  { file, root }: RecordWork,
  { stats, head, framed }: FrontmatterRead,
  readAt: number,
  settings: FileSystemSettings,
  parse: typeof parseLevelOneNow,
): SkillFileRecord | undefined {
  const signature = statSignature(stats, readAt);
  if (head === null) return brokenRecord(file, unreadable(file, 'it is no regular file'), signature);
  if (settings.hardLinks === 'refuse' && stats.nlink > 1) return brokenRecord(file, hardLinked(file, stats.nlink), signature);
  if (stats.size > settings.limits.skillBytes) return brokenRecord(file, tooLarge(file, stats.size, settings), signature);
  const parsed = parse(head, parserOptions(file, settings));
  if (parsed === undefined) return undefined;
  const { metadata, diagnostics } = parsed;
  const listed = metadata === null ? null : deepFreeze({ ...metadata, origin: originOf(root, file) });
  return { file, signature, framed, metadata: listed, diagnostics: deepFreeze(diagnostics) };
}

export function brokenRecord(file: SkillFile, diagnostic: SkillDiagnostic, signature: StatSignature | null = null): SkillFileRecord {
  return { file, signature, framed: false, metadata: null, diagnostics: deepFreeze([diagnostic]) };
}

/** How the parser reads a file, the same at both levels. */
export function parserOptions(file: SkillFile, { profile, limits }: FileSystemSettings): ParseSkillMdOptions {
  return {
    profile,
    directoryName: directoryNameOf(file),
    path: file.path,
    maxBytes: limits.skillBytes,
    maxFrontmatterBytes: limits.frontmatterBytes,
  };
}

export function directoryNameOf(file: SkillFile): string {
  const slash = file.folder.lastIndexOf('/');
  // On Windows a root itself has none.
  return (slash === -1 ? path.basename(file.folder) : file.folder.slice(slash + 1)).normalize('NFC');
}

function unreadable(file: SkillFile, reason: unknown): SkillDiagnostic {
  const why = reason instanceof LeavesRoot ? reason.message : ((reason as NodeJS.ErrnoException).code ?? String(reason));
  return {
    code: 'skill-unreadable',
    severity: 'error',
    message: `${JSON.stringify(file.path)} cannot be read: ${why}.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Let this process read the file, or remove it.',
  };
}

function hardLinked(file: SkillFile, links: number): SkillDiagnostic {
  return {
    code: 'hard-link-refused',
    severity: 'error',
    message: `${JSON.stringify(file.path)} has ${links} hard links, and hardLinks is "refuse".`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: "Put a copy in its place, or set hardLinks: 'allow'.",
  };
}

function tooLarge(file: SkillFile, size: number, { limits }: FileSystemSettings): SkillDiagnostic {
  return {
    code: 'skill-too-large',
    severity: 'error',
    message: `${JSON.stringify(file.path)} has ${size} bytes, and ${limits.skillBytes} is the limit.`,
    skill: directoryNameOf(file),
    path: file.path,
    fix: 'Move what is not always needed into files of its own under references/, or raise limits.skillBytes.',
  };
}
