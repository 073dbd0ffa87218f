import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/provider';
import { parseSkillFrontmatter, type ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { isInside } from './is-inside.ts';
import { readFrontmatter, type FrontmatterReader } from './read-frontmatter.ts';
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
}

/** Reads level 1 of a skill. Never rejects: what is wrong with one skill is no matter of the others. */
export async function readSkillFileRecord(
  file: SkillFile,
  root: DiscoveredRoot,
  settings: FileSystemSettings,
  reader: FrontmatterReader,
): Promise<SkillFileRecord> {
  const readAt = Date.now();
  const broken = (diagnostic: SkillDiagnostic, signature: StatSignature | null = null): SkillFileRecord => ({
    file,
    signature,
    framed: false,
    metadata: null,
    diagnostics: deepFreeze([diagnostic]),
  });
  try {
    const target = file.linked ? await realpath(file.path) : file.path;
    // The walk has checked this; the link may have been changed since.
    if (file.linked && settings.links === 'inside' && !isInside(root.realPath, target))
      return broken(unreadable(file, 'its link leads out of the root'));
    const { stats, bytes, framed } = await readFrontmatter(target, settings.limits.frontmatterBytes, reader);
    const signature = statSignature(stats, readAt);
    if (bytes === null) return broken(unreadable(file, 'it is no regular file'), signature);
    if (settings.hardLinks === 'refuse' && stats.nlink > 1) return broken(hardLinked(file, stats.nlink), signature);
    if (stats.size > settings.limits.skillBytes) return broken(tooLarge(file, stats.size, settings), signature);
    const { metadata, diagnostics } = parseSkillFrontmatter(bytes, parserOptions(file, settings));
    const listed = metadata === null ? null : deepFreeze({ ...metadata, origin: originOf(root, file) });
    return { file, signature, framed, metadata: listed, diagnostics: deepFreeze(diagnostics) };
  } catch (error) {
    return broken(unreadable(file, (error as NodeJS.ErrnoException).code ?? String(error)));
  }
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

function directoryNameOf(file: SkillFile): string {
  return path.basename(file.folder).normalize('NFC');
}

function unreadable(file: SkillFile, why: string): SkillDiagnostic {
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
