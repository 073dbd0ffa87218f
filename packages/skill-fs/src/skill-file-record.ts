import path from 'node:path';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import type { ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import type { StatSignature } from './stat-signature.ts';

/** Level 1 of a `SKILL.md`, and how to tell that it changed. */
export interface SkillFileRecord {
  readonly file: SkillFile;
  /** `null` where the file could not be read: it is tried again next time. */
  readonly signature: StatSignature | null;
  /** The same of its `agents/openai.yaml`. @default it has none */
  readonly settingsSignature?: StatSignature | null | undefined;
  /** Whether it starts with a frontmatter, which makes a folder a skill, perhaps a broken one. */
  readonly framed: boolean;
  /** The frontmatter that level 1 was read from, if nothing else was. */
  readonly head?: string | undefined;
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

/** A file to read, and where it was found. */
export interface RecordWork {
  readonly file: SkillFile;
  readonly root: DiscoveredRoot;
}

/** The record of a file that is no usable skill. */
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

/** Name of the folder that a file lies in. */
export function directoryNameOf(file: SkillFile): string {
  const slash = file.folder.lastIndexOf('/');
  // On Windows a root itself has none.
  const name = slash === -1 ? path.basename(file.folder) : file.folder.slice(slash + 1);
  return /^[\x20-\x7E]*$/.test(name) ? name : name.normalize('NFC');
}
