import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '@repertoire/skills-core/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { FolderTree } from '../source/folder-tree.ts';
import type { LintedSkill } from './lint-one.ts';
import type { LintFinding, LintSkill } from './lint-rule.ts';
import type { FolderFile } from './skill-files.ts';

/** What rules found before, by folder. */
export interface LintCache {
  /** What is known of a folder whose files have not changed since by size, mode and time. */
  byState(folder: string, files: readonly FolderFile[]): LintedSkill | null;
  /** The same by the bytes of its files, as in a fresh checkout. */
  byDigest(skill: LintSkill, files: readonly FolderFile[]): LintedSkill | null;
  put(skill: LintSkill, files: readonly FolderFile[], linted: LintedSkill): void;
  /** Cached findings among these skills if none changed, else what `compare` finds. */
  among(skills: number, compare: () => AmongSkills): AmongSkills;
  /** Cached result if nothing in the folders changed, else what `list` finds. */
  unread(skills: number, tree: FolderTree, list: () => Promise<readonly SkillDiagnostic[]>): Promise<readonly SkillDiagnostic[]>;
  /** Writes what is known, without folders that were not asked for. */
  save(): void;
}

/** What rules found among skills, by rule: the index of a skill, and the finding. */
export type AmongSkills = Readonly<Record<string, readonly (readonly [number, LintFinding])[]>>;

interface Kept {
  readonly skills: Readonly<Record<string, Entry>>;
  /** Tells all skills with their bytes. */
  readonly key: string;
  readonly among: AmongSkills;
  /** Tells all names in the folders. */
  readonly tree: string;
  readonly unread: readonly SkillDiagnostic[];
}

interface Entry {
  readonly state: string;
  readonly digest: string;
  readonly linted: LintedSkill;
}

/** Increase when rules change what they find: older caches are then ignored. */
const revision = 4;
/** A file that changed this shortly before it was read may change again with the same time. */
const settledMs = 2_000;

/** A cache that keeps nothing. */
export const noLintCache: LintCache = {
  byState: () => null,
  byDigest: () => null,
  put: () => undefined,
  among: (_skills, compare) => compare(),
  unread: async (_skills, _tree, list) => await list(),
  save: () => undefined,
};

/**
 * Opens the cache for these settings, in the person's cache folder. Without one, nothing is cached.
 * A damaged file is ignored.
 *
 * @param key the folders and settings
 */
export function openLintCache(env: Readonly<Record<string, string | undefined>>, version: string, key: unknown): LintCache {
  const folder = cacheFolder(env);
  if (folder === null) return noLintCache;
  const file = path.join(folder, `lint-${hash('sha256', JSON.stringify([version, revision, key])).slice(0, 32)}.json`);
  const kept = readKept(file);
  const before = new Map(Object.entries(kept.skills));
  let { key: keyOfAll, among, tree: treeBefore, unread } = kept;
  const after = new Map<string, Entry>();
  let isChanged = false;
  const keep = (name: string, entry: Entry): LintedSkill => {
    after.set(name, entry);
    return entry.linted;
  };
  const put = (folderOf: string, entry: Entry): LintedSkill => {
    isChanged = true;
    return keep(folderOf, entry);
  };
  return {
    byState: (name, files) => {
      const entry = before.get(name);
      return entry !== undefined && entry.state !== '' && entry.state === stateOf(files) ? keep(name, entry) : null;
    },
    byDigest: (skill, files) => {
      const entry = before.get(skill.folder ?? '');
      if (entry === undefined || entry.digest !== skill.digest) return null;
      return put(skill.folder ?? '', { ...entry, state: settledState(files) });
    },
    put: ({ folder: name, digest }, files, linted) => {
      if (name !== null && digest !== undefined) put(name, { state: settledState(files), digest, linted });
    },
    among: (count, compare) => {
      // What a source serves is not kept, and then neither is what it was compared with.
      if (after.size !== count) return compare();
      const now = hash('sha256', [...after].map(([name, { digest }]) => `${name}\0${digest}`).join('\0\0'));
      if (now === keyOfAll) return among;
      isChanged = true;
      [keyOfAll, among] = [now, compare()];
      return among;
    },
    unread: async (count, folders, list) => {
      const now = folders.digest();
      if (!isChanged && after.size === count && now === treeBefore) return unread;
      isChanged = true;
      [treeBefore, unread] = [now, await list()];
      return unread;
    },
    save: () => {
      if (!isChanged && after.size === before.size) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // Under another name first, so that nobody reads half of it.
        writeFileSync(
          `${file}.${process.pid}.tmp`,
          JSON.stringify({ skills: Object.fromEntries(after), key: keyOfAll, among, tree: treeBefore, unread } satisfies Kept),
          { mode: 0o600 },
        );
        renameSync(`${file}.${process.pid}.tmp`, file);
      } catch {
        // Nothing is wrong with the skills: the next lint takes longer.
      }
    },
  };
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const base = env['XDG_CACHE_HOME'] ?? (env['HOME'] === undefined ? env['LOCALAPPDATA'] : path.join(env['HOME'], '.cache'));
  return base === undefined || !path.isAbsolute(base) ? null : path.join(base, 'repertoire');
}

function readKept(file: string): Kept {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isJsonObject(json) && isJsonObject(json['skills']) && isJsonObject(json['among']) && Array.isArray(json['unread']))
      return json as unknown as Kept;
  } catch {
    // There is none yet, or it is damaged.
  }
  return { skills: {}, key: '', among: {}, tree: '', unread: [] };
}

function stateOf(files: readonly FolderFile[]): string {
  return hash('sha1', files.map(({ path: file, size, mode, changedMs }) => `${file}\0${size}\0${mode}\0${changedMs}`).join('\0\0'));
}

function settledState(files: readonly FolderFile[]): string {
  const newest = Date.now() - settledMs;
  // What a link leads to changes without it.
  return files.every(({ changedMs, isFile }) => isFile && changedMs < newest) ? stateOf(files) : '';
}
