import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isResourceFolder } from '@repertoire/skills-core/internal';
import type { DiskPace } from './disk-pace.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { findSkippedSkills } from './find-skipped-skills.ts';
import { isInside, realPathOf, withSlashes } from './inside.ts';
import { settingsFileName, settingsFolder } from './openai-settings.ts';
import type { ResolvedSkillRoot } from './skill-roots.ts';
import type { StatSignature } from './stat-signature.ts';
import { cardFileName, isSkillFileName, isVisibleName } from './visible-names.ts';
import { walkFolders, type LeftFolder, type Walk, type WalkProblem } from './walk-folder.ts';

/** A file that may make its folder a skill. */
export interface SkillFile {
  /** Absolute path as found: through the root as configured, and through links. */
  readonly path: string;
  /** The folder that it lies in, likewise. */
  readonly folder: string;
  /** The same folder by its real path; the skill's identity. */
  readonly realFolder: string;
  /** Whether the file itself is a link. */
  readonly linked: boolean;
  /** Whether it is a `skill-card.json` that no `SKILL.md` lies beside. */
  readonly isCard: boolean;
  /** Its `agents/openai.yaml`, as found. */
  readonly settings: string | null;
}

/** What a root holds. */
export interface DiscoveredRoot {
  readonly root: ResolvedSkillRoot;
  /** The root as a `file:` URL that ends with `/`. */
  readonly rootUri: string;
  /** The root by its real path; empty where it could not be read. */
  readonly realPath: string;
  readonly state: 'read' | 'missing' | 'unreadable';
  /** Whether everything below the root was looked at. `true` if an optional root is missing. */
  readonly complete: boolean;
  /** At most one for each folder, in order of their paths. */
  readonly files: readonly SkillFile[];
  /** Every folder that was searched, with what it looked like; `null` where that was not noted. */
  readonly directories: ReadonlyMap<string, StatSignature | null>;
  /** The same of the folders of resources, which are not searched. `null` where nobody watches. */
  readonly resources: ReadonlyMap<string, StatSignature | null> | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** What is wanted of a scan beside the skills. */
export interface ScanKind {
  /** Whether this is the first scan: signatures of folders are only needed for later ones. */
  readonly isFirst: boolean;
  /** Somebody wants to hear of changes in folders of resources as well. */
  readonly isWatched: boolean;
}

/** A root's real path, or why it has none. */
export type RealRoot = { readonly path: string } | { readonly code: string };

export function findRealRoot({ path: root }: ResolvedSkillRoot): RealRoot {
  try {
    return { path: withSlashes(fs.realpathSync.native(root)) };
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

/**
 * Finds every `SKILL.md` below a root.
 *
 * @throws what {@link DiskPace.restInScan} throws
 */
export async function discoverSkillFiles(
  root: ResolvedSkillRoot,
  realRoot: RealRoot,
  otherRoots: readonly string[],
  settings: FileSystemSettings,
  { isFirst, isWatched }: ScanKind,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<DiscoveredRoot> {
  const rootUri = pathToFileURL(`${root.path}/`).href;
  const nothing = {
    root,
    rootUri,
    realPath: '',
    complete: false,
    files: [],
    directories: new Map<string, StatSignature | null>(),
    resources: null,
  };
  const absent = (code: string): DiscoveredRoot =>
    code === 'ENOENT'
      ? { ...nothing, state: 'missing', complete: root.optional, diagnostics: root.optional ? [] : [missingRoot(root)] }
      : { ...nothing, state: 'unreadable', diagnostics: [unreadableRoot(root, code)] };
  if ('code' in realRoot) return absent(realRoot.code);
  const { path: realPath } = realRoot;
  const { limits, links, hiddenFolders } = settings;
  const walk = await walkFolders([{ absolute: root.path, real: realPath }], {
    depth: limits.depth,
    maxDirectories: limits.directories,
    links,
    boundary: realPath,
    acceptFolder: (name) => isVisibleName(name, hiddenFolders),
    acceptFile: (name) => isSkillFileName(name) || name === cardFileName || name === settingsFileName,
    leaveResources: isResourceFolder,
    noteSkipped: (name) => isVisibleName(name, true),
    signed: isWatched || !isFirst,
    signal,
    pace,
  });
  const unreadable = walk.problems.find(({ kind, path: inner }) => kind === 'unreadable' && inner === '');
  if (unreadable !== undefined) return absent(unreadable.detail);

  if (pace.isSliceOver) await pace.restInScan(signal);
  const { files, diagnostics } = onePerFolder(root, walk);
  if (files.length > limits.skills) diagnostics.push(truncated(root, `more than ${limits.skills} skills`, 'skills'));
  for (const problem of walk.problems) diagnostics.push(...problemDiagnostics(root, problem, otherRoots, limits.directories));
  const skipped = await findSkippedSkills(root, walk, settings, pace, signal);
  diagnostics.push(...skipped.diagnostics);
  const complete =
    !skipped.tooDeep && files.length <= limits.skills && walk.problems.every(({ kind }) => kind !== 'truncated' && kind !== 'unreadable');
  return {
    root,
    rootUri,
    realPath,
    state: 'read',
    complete,
    files: files.slice(0, limits.skills),
    directories: walk.directories,
    resources: isWatched ? await lookIntoResources(walk.resources, realPath, settings, pace, signal) : null,
    diagnostics,
  };
}

/**
 * Finds the folders of resources, which only watchers need. Unreadable folders are ignored: loading
 * the skill reports them.
 *
 * @returns the look of every folder, by absolute path
 */
async function lookIntoResources(
  folders: readonly LeftFolder[],
  boundary: string,
  { limits, links, hiddenFiles }: FileSystemSettings,
  pace: DiskPace,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, StatSignature | null>> {
  const known: { absolute: string; real: string }[] = [];
  for (const { absolute, real } of folders) {
    const found = real ?? realPathOf(absolute);
    if (found !== null && (links === 'all' || isInside(boundary, found))) known.push({ absolute, real: found });
  }
  const walk = await walkFolders(known, {
    depth: limits.depth,
    maxDirectories: limits.directories,
    links: 'none',
    boundary,
    acceptFolder: (name) => isVisibleName(name, hiddenFiles),
    acceptFile: () => false,
    signed: true,
    signal,
    pace,
  });
  return walk.directories;
}

/** Every folder that a change may come to, as far as known. */
export function* foldersOf({
  directories,
  resources,
}: DiscoveredRoot): Generator<readonly [path: string, signature: StatSignature | null]> {
  yield* directories;
  if (resources !== null) yield* resources;
}

function onePerFolder(root: ResolvedSkillRoot, walk: Walk): { files: SkillFile[]; diagnostics: SkillDiagnostic[] } {
  const diagnostics: SkillDiagnostic[] = [];
  const files: SkillFile[] = [];
  const exact = new Set<string>();
  const folders = new Set<string>();
  const settings = new Map<string, string>();
  for (const { name, folder } of walk.files) {
    if (name === settingsFileName) {
      if (folder.endsWith(`/${settingsFolder}`)) settings.set(folder.slice(0, -settingsFolder.length - 1), `${folder}/${name}`);
      continue;
    }
    if (name === 'SKILL.md') exact.add(folder);
    if (name !== cardFileName) folders.add(folder);
  }
  const taken = new Map<string, string>();
  for (const { name, folder, realFolder, linked } of walk.files) {
    if (name === settingsFileName) continue;
    const isCard = name === cardFileName;
    // Beside a SKILL.md, or below one, it is a file of that skill.
    if (isCard && isInOne(folder, folders, root.path)) {
      if (folders.has(folder)) diagnostics.push(cardNotRead(`${folder}/${name}`));
      continue;
    }
    const file = `${folder}/${name}`;
    const winner = isCard ? name : exact.has(folder) ? 'SKILL.md' : (taken.get(folder) ?? name);
    if (winner !== name) {
      diagnostics.push({
        code: 'skill-file-ignored',
        severity: 'warning',
        message: `${JSON.stringify(file)} is ignored, because "${winner}" lies beside it.`,
        skill: path.basename(folder),
        path: file,
        fix: 'Keep one of them, under the name SKILL.md.',
      });
      continue;
    }
    if (!isCard && name !== 'SKILL.md') {
      taken.set(folder, name);
      diagnostics.push({
        code: 'skill-file-name',
        severity: 'warning',
        message: `${JSON.stringify(file)} is read as SKILL.md; other tools, and other file systems, do not find it.`,
        skill: path.basename(folder),
        path: file,
        fix: 'Rename it to SKILL.md.',
      });
    }
    files.push({ path: file, folder, realFolder, linked, isCard, settings: settings.get(folder) ?? null });
  }
  return { files, diagnostics };
}

/** `withSkillCards` reads it, and takes this away. */
function cardNotRead(file: string): SkillDiagnostic {
  return {
    code: 'card-not-read',
    severity: 'warning',
    message: `${JSON.stringify(file)} lies beside a SKILL.md, and a source of folders reads the SKILL.md alone: the skill has neither the id nor the version nor the tools of the card.`,
    skill: path.basename(path.dirname(file)),
    path: file,
    fix: 'To read both, write withSkillCards(fileSystemSkillProvider({ … })), of @repertoire/skill-cards.',
  };
}

/** Whether a folder is or lies in one of these, looking no further up than the root. */
function isInOne(folder: string, folders: ReadonlySet<string>, root: string): boolean {
  for (let above = folder; above.length >= root.length; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) {
    if (folders.has(above)) return true;
    if (above === '') break;
  }
  return false;
}

function problemDiagnostics(
  root: ResolvedSkillRoot,
  problem: WalkProblem,
  otherRoots: readonly string[],
  maxDirectories: number,
): SkillDiagnostic[] {
  const { kind, detail } = problem;
  const at = `${root.path}/${problem.path}`;
  switch (kind) {
    case 'truncated':
      return [truncated(root, `more than ${maxDirectories} folders`, 'directories')];
    case 'unreadable':
      return [
        {
          code: 'folder-unreadable',
          severity: 'warning',
          message: `Folder ${JSON.stringify(at)} cannot be read (${detail}); skills in it are not listed.`,
          path: at,
          fix: 'Let this process read the folder, or remove it.',
        },
      ];
    case 'link-broken':
      return [
        {
          code: 'link-broken',
          severity: 'info',
          message: `Link ${JSON.stringify(at)} leads nowhere (${detail}).`,
          path: at,
          fix: 'Fix the link, or remove it.',
        },
      ];
    case 'link-outside':
      // Its skills are listed from there, under the trust that the host gave that root.
      if (otherRoots.some((other) => isInside(other, detail))) return [];
      return [
        {
          code: 'link-outside-root',
          severity: 'warning',
          message: `Link ${JSON.stringify(at)} leads out of its root, to ${JSON.stringify(detail)}, and is not followed.`,
          path: at,
          fix: "Name the folder that it leads to as a root of its own, or set links: 'all'.",
        },
      ];
  }
}

function truncated(root: ResolvedSkillRoot, what: string, limit: string): SkillDiagnostic {
  return {
    code: 'discovery-truncated',
    severity: 'warning',
    message: `Root ${JSON.stringify(root.path)} holds ${what}; the rest is not listed.`,
    path: root.path,
    fix: `Raise limits.${limit}, or name narrower roots.`,
  };
}

function missingRoot(root: ResolvedSkillRoot): SkillDiagnostic {
  return {
    code: 'root-missing',
    severity: 'warning',
    message: `Root ${JSON.stringify(root.path)} does not exist.`,
    path: root.path,
    fix: 'Make the folder, correct the path, or mark the root as optional: { path, optional: true }.',
  };
}

function unreadableRoot(root: ResolvedSkillRoot, why: string): SkillDiagnostic {
  return {
    code: 'root-unreadable',
    severity: 'error',
    message: `Root ${JSON.stringify(root.path)} cannot be read: ${why === 'ENOTDIR' ? 'it is a file, not a folder' : why}.`,
    path: root.path,
    fix: 'Name a folder that this process may read.',
  };
}
