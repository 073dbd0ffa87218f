import { isInside } from '@repertoire/skill-fs/internal';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isTrusted,
  SkillError,
  SkillRegistry,
  type Skill,
  type SkillDiagnostic,
  type SkillLock,
  type SkillMetadata,
  type SkillProvider,
} from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import {
  frontmatterDigest,
  parseLocalToolReference,
  readListedFile,
  type LockedSkill,
  compareText,
} from '@repertoire/skills-core/internal';
import { readListing, readSkillMd, sha256Hex, skillDigestFromFileDigests, type SkillOrigin } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { BundleChunk } from './content-code.ts';
import { refusalOf } from './refusals.ts';
import { renderSkill, type SkillCode } from './render-skill.ts';

/** Which skills to take, and how. */
export interface CollectOptions {
  /** Names of skills to take, `*` for any characters. @default all */
  readonly include?: readonly string[] | undefined;
  /** Names of skills to leave out. @default none */
  readonly exclude?: readonly string[] | undefined;
  /** Most bytes of one file. */
  readonly maxFileBytes: number;
  /** Take only what the standard's reference validator takes. @default false */
  readonly strict?: boolean | undefined;
  /** The label in the lock: that of the provider that will serve the bundle. */
  readonly label: string;
  /** Where the contents of bodies and files go. @default into the bundle itself */
  readonly chunk?: BundleChunk | undefined;
  /** Keep skills whole beside their code, for a search index. @default false */
  readonly keepsWhole?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One file of a skill, whole. */
export interface CollectedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** SHA-256 in lower-case hex. */
  readonly digest: string;
}

/** One skill, whole. */
export interface WholeSkill {
  /** Level 1 without the origin, which is the host's to say. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  /** Its `SKILL.md`, byte for byte. */
  readonly skillMd: Uint8Array;
  readonly files: readonly CollectedFile[];
}

/**
 * One skill as a bundle carries it. Its bytes are not kept beside its code, so that thousands of
 * skills take the memory of the bundle once.
 */
export interface CollectedSkill {
  /** Level 1 as it was listed. */
  readonly metadata: SkillMetadata;
  readonly code: SkillCode;
  /** Bytes of its body and its files. */
  readonly size: number;
  /** `null` unless it was asked for. */
  readonly whole: WholeSkill | null;
  /** Where it lies on this computer; `null` if its source is no folder. Not part of a bundle. */
  readonly folder: string | null;
  /** Whether its source is trusted. In a bundle, the host says so. */
  readonly trusted: boolean;
}

/** What a source holds. */
export interface CollectedSkills {
  /** In the order of the contract. */
  readonly skills: readonly CollectedSkill[];
  /** Digests of exactly these skills. */
  readonly lock: SkillLock;
  /** Skills that cannot be carried, and why. They are not among `skills`. */
  readonly refused: readonly SkillError[];
  /** Sources that cannot be read whole: there is no telling what is missing. */
  readonly failed: readonly SkillError[];
  /** Everything else that an author should know. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Absolute paths whose change may change the bundle, also of files that could not be read. */
  readonly sources: readonly string[];
}

/** Reads everything, and says what cannot be carried instead of throwing. */
export async function collectSkills(provider: SkillProvider, options: CollectOptions): Promise<CollectedSkills> {
  const { signal } = options;
  const chosen = (name: string): boolean =>
    (options.include ?? ['*']).some((pattern) => fits(name, pattern)) && !(options.exclude ?? []).some((pattern) => fits(name, pattern));
  const listing = await readListing(provider, { signal });
  const listed = listing.skills.filter(({ name }) => chosen(name));
  const told: SkillDiagnostic[] = [...listing.diagnostics];
  const collected: { readonly skill: CollectedSkill; readonly locked: LockedSkill }[] = [];
  const refused: SkillError[] = [];
  const read: string[] = [];
  for (const metadata of listed) {
    try {
      collected.push(await collectSkill(provider, metadata, { ...options, told, read }));
    } catch (error) {
      if (!SkillError.isInstance(error)) throw error;
      refused.push(error);
    }
  }

  // What is wrong with a frontmatter is told with the listing, and again with the skill.
  const distinct = new Map(told.map((diagnostic) => [JSON.stringify([diagnostic.code, diagnostic.path, diagnostic.message]), diagnostic]));
  const found = [...distinct.values()].filter(({ skill }) => skill === undefined || chosen(skill));
  const refusals = found.map(refusalOf);
  const failed = refusals.flatMap((refusal) => (refusal?.kind === 'failed' ? [refusal.error] : []));
  refused.unshift(...refusals.flatMap((refusal) => (refusal?.kind === 'refused' ? [refusal.error] : [])));
  if (!listing.complete && failed.length + refused.length === 0) failed.push(notWhole(provider.label));
  const isWhole = ({ metadata, folder }: CollectedSkill): boolean =>
    !found.some(
      ({ skill, path: at }, index) =>
        refusals[index] !== null && skill === metadata.name && (folder === null || (at !== undefined && isInside(folder, at))),
    );
  const kept = collected.filter(({ skill }) => isWhole(skill));
  const skills = kept.map(({ skill }) => skill);
  const diagnostics = [
    ...found.filter((_, index) => refusals[index] === null),
    ...skills.flatMap(({ metadata }) => toolDiagnostics(metadata)),
    ...untrustedSkills(skills),
  ];
  const sources = [
    ...listed.flatMap(({ origin }) => pathOf(origin, 'SKILL.md')),
    ...read,
    ...found.flatMap((diagnostic) => diagnostic.path ?? []),
  ];
  return {
    skills,
    lock: { lockVersion: 1, skills: kept.map(({ locked }) => locked) },
    refused,
    failed,
    diagnostics,
    sources: [...new Set(sources)].sort(compareText),
  };
}

/** The provider that serves the bundle of these skills. */
export function bundledProvider(skills: readonly WholeSkill[], label: string): SkillProvider {
  return new SkillRegistry({ skills: skills.map(definitionOf), label });
}

interface CollectRun extends CollectOptions {
  /** Takes what was left out or repaired while a skill was read. */
  readonly told: SkillDiagnostic[];
  /** Takes the path of each file, also of one that is refused. */
  readonly read: string[];
}

async function collectSkill(
  provider: SkillProvider,
  listed: SkillMetadata,
  run: CollectRun,
): Promise<{ readonly skill: CollectedSkill; readonly locked: LockedSkill }> {
  const { name, version } = listed;
  const { maxFileBytes, signal } = run;
  const skill = await provider.getSkill(name, { version, signal, withBytes: maxFileBytes });
  if (skill === null || skill.version !== version) throw changed(name);
  run.told.push(...skill.diagnostics);
  const folder = folderOf(skill.origin);
  for (const entry of skill.resources) run.read.push(...pathOf(skill.origin, entry.path));
  const { bytes: skillMd } = await readSkillMd(provider, skill, { signal });
  if (run.strict === true && folder === null) assertStrict(name, skillMd);
  if (skillMd.length > maxFileBytes) throw tooLarge(skill, 'SKILL.md', skillMd.length, maxFileBytes);
  const files = await readFiles(provider, skill, run);
  const { body, resources: _resources, files: _files, origin: _origin, diagnostics: _diagnostics, ...fields } = skill;
  const digests = {
    'SKILL.md': await sha256Hex(skillMd),
    ...Object.fromEntries(files.map(({ path: inner, digest }) => [inner, digest] as const)),
  };
  // Of what is carried, which is read behind functions: the bundle is bound to it all the same.
  const digest = await skillDigestFromFileDigests(digests);
  const metadata = { ...fields, content: digest };
  const whole: WholeSkill = { metadata, body, skillMd, files };
  return {
    // What createSkillLock makes of the bundle, without reading every file again.
    locked: {
      name,
      version,
      source: run.label,
      digest,
      files: digests,
      frontmatter: await frontmatterDigest(metadata),
      body: await sha256Hex(body),
    },
    skill: {
      // Its strings are of its own; those of the skill would keep its whole text in memory.
      metadata: listed,
      code: renderSkill(whole, run.chunk),
      size: files.reduce((total, { bytes }) => total + bytes.length, body.length),
      whole: run.keepsWhole === true ? whole : null,
      folder,
      trusted: isTrusted(skill),
    },
  };
}

async function readFiles(provider: SkillProvider, skill: Skill, { maxFileBytes, signal }: CollectRun): Promise<CollectedFile[]> {
  const files: CollectedFile[] = [];
  for (const entry of skill.resources) {
    const { path: inner, size = 0 } = entry;
    if (size > maxFileBytes) throw tooLarge(skill, inner, size, maxFileBytes);
    const resource = await readListedFile(provider, skill, entry, { signal });
    if (resource === null) throw changed(skill.name, inner);
    files.push({ path: inner, bytes: resource.bytes, digest: await sha256Hex(resource.bytes) });
  }
  return files;
}

/**
 * Folders are read by the strict profile. Other sources are not, so their files are checked here.
 */
function assertStrict(name: string, skillMd: Uint8Array): void {
  const problem = parseSkillMd(skillMd, { profile: 'strict', directoryName: name }).diagnostics.find(
    ({ severity }) => severity === 'error',
  );
  if (problem === undefined) return;
  throw new SkillError('invalid-skill', [problem.message, `(${problem.code})`, problem.fix].filter((part) => part !== '').join(' '), {
    skill: name,
  });
}

function folderOf(origin: SkillOrigin | undefined): string | null {
  return origin?.uri?.startsWith('file:') === true ? fileURLToPath(origin.uri) : null;
}

function pathOf(origin: SkillOrigin | undefined, inner: string): string[] {
  const folder = folderOf(origin);
  return folder === null ? [] : [path.join(folder, inner)];
}

function definitionOf({ metadata, body, skillMd, files }: WholeSkill) {
  return { ...metadata, body, skillMd, resources: Object.fromEntries(files.map((file) => [file.path, file.bytes])) };
}

/** A bundle does not say where its skills come from, so the host trusts what is in its code. */
function untrustedSkills(skills: readonly CollectedSkill[]): SkillDiagnostic[] {
  const names = skills.filter(({ trusted }) => !trusted).map(({ metadata }) => metadata.name);
  if (names.length === 0) return [];
  const named = `${names.slice(0, 5).join(', ')}${names.length > 5 ? `, and ${names.length - 5} more` : ''}`;
  return [
    {
      code: 'untrusted-skill',
      severity: 'warning',
      message: `These skills come from a source that is not trusted: ${named}. A bundle is code, so its skills are trusted where it is used.`,
      fix: 'Read them first, or serve the bundle with new SkillRegistry({ skills, trusted: false }).',
    },
  ];
}

/** What a skill brings that works in its folder and not in a bundle. */
function toolDiagnostics(skill: SkillMetadata): SkillDiagnostic[] {
  const { localTools, mcps } = cardToolsOf(skill);
  return [
    ...Object.entries(localTools)
      .filter(([, { importPath }]) => parseLocalToolReference(importPath)?.kind === 'relative')
      .map(([tool, { importPath }]): SkillDiagnostic => ({
        code: 'local-tool',
        severity: 'warning',
        skill: skill.name,
        message: `The local tool ${JSON.stringify(tool)} of skill ${JSON.stringify(skill.name)} is a module in its folder (${importPath}), which cannot be imported out of a bundle.`,
        fix: `Import it in your own code, and give it to the adapter by this name: map: { ${JSON.stringify(importPath)}: … }.`,
      })),
    ...Object.entries(mcps)
      .filter(([, { transport }]) => transport === 'stdio')
      .map(([server]): SkillDiagnostic => ({
        code: 'card-mcp',
        severity: 'info',
        skill: skill.name,
        message: `The MCP server ${JSON.stringify(server)} of skill ${JSON.stringify(skill.name)} is started as a process, which Workers and browsers cannot do.`,
        fix: 'Nothing, where the bundle runs on Node.js; else give the URL of a server.',
      })),
  ];
}

function tooLarge({ name }: Skill, inner: string, size: number, limit: number): SkillError {
  return new SkillError(
    'limit-exceeded',
    `Skill ${JSON.stringify(name)} has a file of ${size} bytes, ${inner}, and ${limit} is the limit of --max-file. Make it smaller, keep it in a store (repertoire publish), or raise --max-file.`,
    { skill: name, path: inner },
  );
}

function notWhole(source: string): SkillError {
  return new SkillError('source-unavailable', `${source} could not list everything that it has, so skills would be missing. Try again.`, {
    source,
  });
}

function changed(name: string, inner?: string): SkillError {
  const what = inner === undefined ? '' : `: its file ${inner} could not be read`;
  return new SkillError('source-unavailable', `Skill ${JSON.stringify(name)} changed while it was read${what}. Run it again.`, {
    skill: name,
    path: inner,
  });
}

function fits(name: string, pattern: string): boolean {
  return new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'us').test(name);
}
