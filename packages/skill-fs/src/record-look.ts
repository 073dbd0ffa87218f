import fs from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import type { DiskPace, Look } from './disk-pace.ts';
import { DiskReader } from './disk-steps.ts';
import type { SkillFile } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { HeavyFrontmatter } from './heavy-frontmatter.ts';
import { isInside } from './is-inside.ts';
import { withOpenAiSettings } from './openai-settings.ts';
import { parseLevelOne, parseLevelOneNow } from './parse-skill.ts';
import { frontmatterBuffer, readFrontmatter, readFrontmatterNow, type FrontmatterRead } from './read-frontmatter.ts';
import { brokenRecord, directoryNameOf, parserOptions, type RecordWork, type SkillFileRecord } from './skill-file-record.ts';
import { originOf } from './skill-origin.ts';
import { statSignature } from './stat-signature.ts';

/** Reads the `SKILL.md` files of a scan. Never rejects for a single skill. */
export function recordLook(settings: FileSystemSettings, pace: DiskPace): Look<RecordWork, SkillFileRecord> {
  const heavy = new HeavyFrontmatter();
  const ownBuffer = frontmatterBuffer();
  const freeBuffers: Buffer[] = [];
  const { frontmatterBytes } = settings.limits;
  const parseNow: typeof parseLevelOneNow = (head, options) => {
    const parsed = parseLevelOneNow(head, options);
    // However long the YAML parser took, it says nothing about the disk.
    pace.beginLook();
    return parsed;
  };
  return {
    now: (work) => {
      if (work.file.isCard || work.file.settings !== null) return undefined;
      const readAt = Date.now();
      try {
        const target = targetOf(work, settings, work.file.linked ? fs.realpathSync.native(work.file.path) : work.file.path);
        return recordOf(work, readFrontmatterNow(target, frontmatterBytes, ownBuffer), readAt, settings, heavy, parseNow);
      } catch (error) {
        return brokenRecord(work.file, unreadable(work.file, error));
      }
    },
    later: async (work) => {
      if (work.file.isCard) return await recordOfCard(work, settings);
      const readAt = Date.now();
      const buffer = freeBuffers.pop() ?? frontmatterBuffer();
      try {
        const target = targetOf(work, settings, work.file.linked ? await realpath(work.file.path) : work.file.path);
        const read = await readFrontmatter(target, frontmatterBytes, buffer, pace);
        let record = recordOf(work, read, readAt, settings, heavy, parseLevelOneNow);
        if (record === undefined) {
          const parsed = await parseLevelOne(read.head ?? '', parserOptions(work.file, settings));
          record = recordOf(work, read, readAt, settings, heavy, () => parsed) as SkillFileRecord;
        }
        return await withSettings(record, work, readAt, settings);
      } catch (error) {
        return brokenRecord(work.file, unreadable(work.file, error));
      } finally {
        freeBuffers.push(buffer);
      }
    },
  };
}

/** Few libraries have cards, and their reader takes a while to load. */
async function recordOfCard(work: RecordWork, settings: FileSystemSettings): Promise<SkillFileRecord> {
  const { cardRecord } = await import('./card-record.ts');
  return await cardRecord(work, settings);
}

async function withSettings(
  record: SkillFileRecord,
  work: RecordWork,
  readAt: number,
  settings: FileSystemSettings,
): Promise<SkillFileRecord> {
  const path = work.file.settings;
  if (path === null || record.metadata === null) return record;
  const stats = await stat(path).catch(() => null);
  const { metadata, diagnostics } = await withOpenAiSettings(record.metadata, work, settings, new DiskReader());
  const settingsSignature = stats && statSignature(stats, readAt);
  return { ...record, settingsSignature, metadata: deepFreeze(metadata), diagnostics: deepFreeze([...record.diagnostics, ...diagnostics]) };
}

class LeavesRoot extends Error {}

function targetOf({ file, root }: RecordWork, { links }: FileSystemSettings, real: string): string {
  // The walk has checked this; the link may have been changed since.
  if (file.linked && links === 'inside' && !isInside(root.realPath, real)) throw new LeavesRoot('its link leads out of the root');
  return real;
}

function recordOf(
  work: RecordWork,
  { stats, head, framed }: FrontmatterRead,
  readAt: number,
  settings: FileSystemSettings,
  heavy: HeavyFrontmatter,
  parse: typeof parseLevelOneNow,
): SkillFileRecord | undefined {
  const { file, root } = work;
  const signature = statSignature(stats, readAt);
  if (head === null) return brokenRecord(file, unreadable(file, 'it is no regular file'), signature);
  if (settings.hardLinks === 'refuse' && stats.nlink > 1) return brokenRecord(file, hardLinked(file, stats.nlink), signature);
  if (stats.size > settings.limits.skillBytes) return brokenRecord(file, tooLarge(file, stats.size, settings), signature);
  const options = parserOptions(file, settings);
  const plain = parsePlainSkillFrontmatter(head, options);
  // What is plain takes time that is linear in its length, and needs no look at its cost.
  const refusal = plain === null ? heavy.refusal(work, head) : undefined;
  if (refusal !== undefined) return { ...brokenRecord(file, refusal, signature), framed };
  const parsed = plain ?? parse(head, options);
  if (parsed === undefined) return undefined;
  const { metadata, diagnostics } = parsed;
  const listed = metadata === null ? null : deepFreeze({ ...metadata, origin: originOf(root, file) });
  const read = typeof head === 'string' && file.settings === null ? head : undefined;
  return { file, signature, framed, head: read, metadata: listed, diagnostics: deepFreeze(diagnostics) };
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
