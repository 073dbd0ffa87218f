import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSystemSkillProvider, type FileSystemSkillProvider } from '@repertoire/skill-fs';
import { SkillError } from '@repertoire/skills-core';
import { isJsonObject, isWindowsTrick } from '@repertoire/skills-core/internal';
import { readSkillFiles } from '@repertoire/skills-core/provider';
import { replaceFile } from '../text/replace-file.ts';

/** Where an installed skill came from, and what it is. */
export interface InstalledSkill {
  /** The source, as it was named. */
  readonly source: string;
  /** Its commit, for a repository. */
  readonly commit?: string | undefined;
  readonly version: string | null;
  /** Digest over all of its files. */
  readonly content: string;
}

/** Files to be written, by path. */
export type FilesByPath = Readonly<Record<string, Uint8Array>>;

/** What changes in the folder, as one step: a skill is written anew, or removed (`null`). */
export type InstallChanges = ReadonlyMap<string, { readonly files: FilesByPath; readonly entry: InstalledSkill } | null>;

const recordName = '.repertoire.json';
const stagingName = '.repertoire-installing';
const skillName = /^[\p{Ll}\p{Lu}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lu}\p{Lo}\p{N}]+)*$/u;

/**
 * The skills that were installed into a folder. What is written is written as a whole: until the
 * record names the new contents, a killed process leaves the folder as it was, and whoever opens it
 * next restores what was half done.
 */
export class InstalledSkills implements AsyncDisposable {
  readonly #folder: string;
  readonly #skills: Map<string, InstalledSkill>;
  /** Looks into the folder once, since one look for each skill would be a look at all for each. */
  readonly #provider: FileSystemSkillProvider;

  private constructor(folder: string, skills: Map<string, InstalledSkill>) {
    this.#folder = folder;
    this.#skills = skills;
    this.#provider = fileSystemSkillProvider({ roots: [{ path: folder, optional: true }], staleAfterMs: 3_600_000 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#provider[Symbol.asyncDispose]();
  }

  /** @throws {SkillError} `invalid-options` for a record that is none */
  static async open(folder: string): Promise<InstalledSkills> {
    await restore(folder);
    return new InstalledSkills(folder, await readRecord(folder));
  }

  /** By name, sorted. */
  get all(): readonly (readonly [string, InstalledSkill])[] {
    return [...this.#skills];
  }

  get(name: string): InstalledSkill | undefined {
    return this.#skills.get(name);
  }

  /** Digest of a skill as it is in the folder now; `null` if there is none. */
  async contentOf(name: string, signal: AbortSignal): Promise<string | null> {
    if ((await lstat(path.join(this.#folder, name)).catch(() => null)) === null) return null;
    // A folder of this name without a skill in it is somebody's own.
    return (await this.#read(name, signal))?.digest ?? 'no skill';
  }

  /** Files of a skill as they are in the folder now; none if there is none. */
  async filesOf(name: string, signal: AbortSignal): Promise<FilesByPath> {
    return (await this.#read(name, signal))?.files ?? {};
  }

  async #read(name: string, signal: AbortSignal): Promise<{ readonly digest: string; readonly files: FilesByPath } | null> {
    const skill = await this.#provider.getSkill(name, { signal });
    return skill === null ? null : await readSkillFiles(this.#provider, skill, { signal });
  }

  /** Writes and removes skills in one step. */
  async change(changes: InstallChanges): Promise<void> {
    const staging = path.join(this.#folder, stagingName);
    await mkdir(this.#folder, { recursive: true });
    // Two at once would take each other's files away.
    await mkdir(staging).catch((cause: unknown) => {
      throw busy(this.#folder, staging, cause);
    });
    try {
      for (const [name, change] of changes) if (change !== null) await writeFiles(path.join(staging, 'new', name), change.files);
      const after = new Map(this.#skills);
      for (const [name, change] of changes) {
        if (change === null) after.delete(name);
        else after.set(name, change.entry);
      }
      const plan = { process: process.pid, names: [...changes.keys()], record: recordText(after) };
      await writeFile(path.join(staging, 'plan.json'), JSON.stringify(plan), { flag: 'wx' });
      await mkdir(path.join(staging, 'old'));
      for (const [name, change] of changes) {
        const target = path.join(this.#folder, name);
        await rename(target, path.join(staging, 'old', name)).catch(ignoreMissing);
        if (change !== null) await rename(path.join(staging, 'new', name), target);
      }
      // From here on, the new contents are what is installed.
      await replaceFile(path.join(this.#folder, recordName), plan.record);
      this.#skills.clear();
      for (const [name, entry] of after) this.#skills.set(name, entry);
    } catch (error) {
      await restore(this.#folder, true);
      throw error;
    }
    await rm(staging, { recursive: true, force: true });
  }
}

/** Ends what a killed process began: before the record was written it is undone, after it done. */
async function restore(folder: string, isOwn = false): Promise<void> {
  const staging = path.join(folder, stagingName);
  const planText = await readFile(path.join(staging, 'plan.json'), 'utf8').catch(() => null);
  if (planText === null) {
    // Nothing was moved yet. A folder that another process just made has no plan either, so only an
    // old one is removed.
    const made = await lstat(staging).catch(() => null);
    if (made !== null && (isOwn || Date.now() - made.mtimeMs > 60_000)) await rm(staging, { recursive: true, force: true });
    return;
  }
  const plan = parsed(planText);
  const { names, record, process: owner } = isJsonObject(plan) ? plan : {};
  if (!isOwn && typeof owner === 'number' && isRunning(owner)) throw busy(folder, staging);
  const now = await readFile(path.join(folder, recordName), 'utf8').catch(() => null);
  if (now !== record && Array.isArray(names)) {
    const kept = new Set(await readdir(path.join(staging, 'old')).catch(() => []));
    const waiting = new Set(await readdir(path.join(staging, 'new')).catch(() => []));
    for (const name of names.filter((one): one is string => typeof one === 'string' && skillName.test(one))) {
      const target = path.join(folder, name);
      // What is not waiting any more was moved to its place.
      if (kept.has(name) || !waiting.has(name)) await rm(target, { recursive: true, force: true });
      if (kept.has(name)) await rename(path.join(staging, 'old', name), target);
    }
  }
  await rm(staging, { recursive: true, force: true });
}

function busy(folder: string, staging: string, cause?: unknown): SkillError {
  return new SkillError(
    'source-unavailable',
    `Another command is writing to ${folder}. Wait for it, or remove ${staging} if there is none.`,
    {
      path: folder,
      cause,
    },
  );
}

/** Whether a process is there. One of another user counts as running. */
function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** `null` for half a text, as a killed process leaves it: then nothing was moved. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeFiles(folder: string, files: FilesByPath): Promise<void> {
  for (const [file, bytes] of Object.entries(files)) {
    const full = path.join(folder, ...file.split('/'));
    await mkdir(path.dirname(full), { recursive: true });
    // Sources do not say which files may be executed; a first line with a program does.
    await writeFile(full, bytes, { flag: 'wx', mode: bytes[0] === 0x23 && bytes[1] === 0x21 ? 0o755 : 0o644 });
  }
}

async function readRecord(folder: string): Promise<Map<string, InstalledSkill>> {
  const full = path.join(folder, recordName);
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return new Map();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw notARecord(full, cause);
  }
  const skills = isJsonObject(json) ? json['skills'] : undefined;
  if (!isJsonObject(skills)) throw notARecord(full);
  return new Map(
    Object.entries(skills).map(([name, entry]) => {
      if (!isJsonObject(entry) || !skillName.test(name)) throw notARecord(full);
      const { source, commit, version, content } = entry;
      if (typeof source !== 'string' || typeof content !== 'string' || (version !== null && typeof version !== 'string'))
        throw notARecord(full);
      return [name, { source, ...(typeof commit === 'string' && { commit }), version, content }];
    }),
  );
}

function notARecord(full: string, cause?: unknown): SkillError {
  return new SkillError('invalid-options', `${full} is no record of installed skills. Restore it from version control, or remove it.`, {
    path: full,
    cause,
  });
}

function recordText(skills: ReadonlyMap<string, InstalledSkill>): string {
  const sorted = [...skills].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ version: 1, skills: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/**
 * Refuses what cannot be written as a folder on every system.
 *
 * @throws {SkillError} `invalid-skill`
 */
export function assertWritable(name: string, files: FilesByPath): void {
  if (!skillName.test(name) || isWindowsTrick(name) || name.length > 64)
    throw new SkillError('invalid-skill', `${JSON.stringify(name)} is no name for a folder: use at most 64 letters, digits and hyphens.`, {
      skill: name,
    });
  const seen = new Map<string, string>();
  const folders = new Set<string>();
  for (const file of Object.keys(files)) {
    const folded = file.normalize('NFC').toLowerCase();
    const other = seen.get(folded);
    if (other !== undefined)
      throw new SkillError('invalid-skill', `${name} has ${other} and ${file}, which are one file on some systems.`, {
        skill: name,
        path: file,
      });
    seen.set(folded, file);
    for (let above = path.posix.dirname(folded); above !== '.'; above = path.posix.dirname(above)) folders.add(above);
  }
  const both = [...folders].find((folder) => seen.has(folder));
  if (both !== undefined)
    throw new SkillError('invalid-skill', `${name} has ${both} as a file and as a folder.`, { skill: name, path: both });
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
