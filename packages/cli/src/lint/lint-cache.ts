import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '@repertoire/skills-core/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { FolderTree } from '../source/folder-tree.ts';
import type { LintedSkill } from './lint-one.ts';
import type { LintFinding, LintSkill } from './lint-rule.ts';
import type { FolderFile } from './skill-files.ts';

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

const nothingKept: Kept = { skills: {}, key: '', among: {}, tree: '', unread: [] };
/** Increase when rules change what they find: older caches are then ignored. */
const revision = 5;
/** A file that changed this shortly before it was read may change again with the same time. */
const settledMs = 2_000;

/**
 * Opens the cache for these settings, in the person's cache folder. Without one, nothing is cached.
 * A damaged file is ignored.
 *
 * @param key the folders and settings
 */
export function openLintCache(env: Readonly<Record<string, string | undefined>>, version: string, key: unknown): LintCache {
  const folder = cacheFolder(env);
  const name = `lint-${hash('sha256', JSON.stringify([version, revision, key])).slice(0, 32)}.json`;
  return new LintCache(folder === null ? null : path.join(folder, name));
}

/** What rules found before, by folder. Without a file, nothing is cached. */
export class LintCache {
  readonly #file: string | null;
  readonly #before: ReadonlyMap<string, Entry>;
  readonly #after = new Map<string, Entry>();
  #kept: Kept;
  #isChanged = false;

  constructor(file: string | null) {
    this.#file = file;
    this.#kept = file === null ? nothingKept : readKept(file);
    this.#before = new Map(Object.entries(this.#kept.skills));
  }

  /** What is known of a folder whose files have not changed since by size, mode and time. */
  byState(folder: string, files: readonly FolderFile[]): LintedSkill | null {
    const entry = this.#before.get(folder);
    if (entry === undefined || entry.state === '' || entry.state !== stateOf(files)) return null;
    this.#after.set(folder, entry);
    return entry.linted;
  }

  /** The same by the bytes of its files, as in a fresh checkout. */
  byDigest({ folder, digest }: LintSkill, files: readonly FolderFile[]): LintedSkill | null {
    const entry = this.#before.get(folder ?? '');
    if (entry === undefined || entry.digest !== digest) return null;
    this.#put(folder ?? '', { ...entry, state: settledState(files) });
    return entry.linted;
  }

  put({ folder, digest }: LintSkill, files: readonly FolderFile[], linted: LintedSkill): void {
    if (folder !== null && digest !== undefined) this.#put(folder, { state: settledState(files), digest, linted });
  }

  /**
   * Cached findings among these skills if none changed, else what `compare` finds.
   *
   * @param around what else they depend on: the plugins of the skills
   */
  among(skills: number, around: string, compare: () => AmongSkills): AmongSkills {
    // What a source serves is not kept, and then neither is what it was compared with.
    if (this.#file === null || this.#after.size !== skills) return compare();
    const key = hash('sha256', [around, ...[...this.#after].map(([name, { digest }]) => `${name}\0${digest}`)].join('\0\0'));
    if (key !== this.#kept.key) this.#change({ key, among: compare() });
    return this.#kept.among;
  }

  /** Cached result if nothing in the folders changed, else what `list` finds. */
  async unread(skills: number, folders: FolderTree, list: () => Promise<readonly SkillDiagnostic[]>): Promise<readonly SkillDiagnostic[]> {
    if (this.#file === null) return await list();
    const tree = folders.digest();
    if (this.#isChanged || this.#after.size !== skills || tree !== this.#kept.tree) this.#change({ tree, unread: await list() });
    return this.#kept.unread;
  }

  /** Writes what is known, without folders that were not asked for. */
  save(): void {
    if (this.#file === null || (!this.#isChanged && this.#after.size === this.#before.size)) return;
    const part = `${this.#file}.${process.pid}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      // Under another name first, so that nobody reads half of it.
      writeFileSync(part, JSON.stringify({ ...this.#kept, skills: Object.fromEntries(this.#after) } satisfies Kept), { mode: 0o600 });
      renameSync(part, this.#file);
    } catch {
      // Nothing is wrong with the skills: the next lint takes longer.
    }
  }

  #put(folder: string, entry: Entry): void {
    this.#isChanged = true;
    this.#after.set(folder, entry);
  }

  #change(kept: Partial<Kept>): void {
    this.#isChanged = true;
    this.#kept = { ...this.#kept, ...kept };
  }
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
  return nothingKept;
}

function stateOf(files: readonly FolderFile[]): string {
  return hash('sha1', files.map(({ path: file, size, mode, changedMs }) => `${file}\0${size}\0${mode}\0${changedMs}`).join('\0\0'));
}

function settledState(files: readonly FolderFile[]): string {
  const newest = Date.now() - settledMs;
  // What a link leads to changes without it.
  return files.every(({ changedMs, isFile }) => isFile && changedMs < newest) ? stateOf(files) : '';
}
