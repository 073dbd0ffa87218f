import { isJsonObject } from '@repertoire/skills-core/internal';
import type { SkillDiagnostic } from '@repertoire/skills-core';
import { parseSkillUri, pathInSkill, type SkillUri } from '../protocol/skill-uri.ts';
import type { McpSkillEntry, McpSkillFile } from '../protocol/skills-extension.ts';
import { entryProblems } from './entry-problems.ts';
import { originOf, type IndexedSkill } from './indexed-skill.ts';
import { isLongerThan } from './json-length.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { metadataOfFrontmatter } from './metadata-of-frontmatter.ts';

/** The result of checking an entry: the skill, or why it is invalid. */
export interface ReadEntry {
  readonly skill: IndexedSkill | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Checks one entry and builds its level 1. It never throws. */
export function readEntry(raw: unknown, settings: McpSkillSettings): ReadEntry {
  const entry: McpSkillEntry = isJsonObject(raw) ? raw : {};
  const location = parseSkillUri(entry.uri);
  if (location === null)
    return refused('entry-invalid', settings, null, `its uri ${show(entry.uri)} is not that of a SKILL.md in a folder`);
  const { frontmatter, resources } = entry;
  if (!isJsonObject(frontmatter)) return refused('entry-invalid', settings, location, 'it has no frontmatter');
  if (isLongerThan(frontmatter, settings.limits.frontmatterCharacters)) {
    const { frontmatterCharacters } = settings.limits;
    return refused(
      'entry-too-large',
      settings,
      location,
      `its frontmatter has more than ${frontmatterCharacters} characters (limits.frontmatterCharacters)`,
    );
  }
  const files = resources === 'dynamic' ? null : readFiles(resources, location, settings);
  if (files !== null && 'diagnostics' in files) return files;

  const problems = entryProblems(frontmatter, location.folder);
  if (problems.length > 0 && settings.profile === 'strict') {
    return refused(
      'entry-invalid',
      settings,
      location,
      problems.join('; '),
      'Ask its author to fix it, or allow it by profile: "lenient".',
    );
  }
  const { metadata, diagnostics } = metadataOfFrontmatter(frontmatter, location.folder, location.uri);
  if (metadata === null) return { skill: null, diagnostics };
  const verified = files !== null;
  const promised = JSON.stringify(frontmatter);
  const skill: Omit<IndexedSkill, 'diagnostics'> = {
    metadata: { ...metadata, origin: originOf(settings, location, verified) },
    location,
    ownName: metadata.name,
    frontmatter: JSON.parse(promised) as Readonly<Record<string, unknown>>,
    files,
    unverified: new Map(),
    key: JSON.stringify([
      location.uri,
      promised,
      files === null ? null : [...files].map(([path, { digest, size }]) => [path, digest, size]),
    ]),
  };
  const all = verified ? diagnostics : [...diagnostics, unverified(skill)];
  return { skill: { ...skill, diagnostics: all }, diagnostics: all };
}

function readFiles(resources: unknown, location: SkillUri, settings: McpSkillSettings): ReadonlyMap<string, McpSkillFile> | ReadEntry {
  if (!Array.isArray(resources))
    return refused('entry-invalid', settings, location, 'it says neither which files it has nor that they are "dynamic"');
  const { limits } = settings;
  if (resources.length > limits.files) {
    return refused(
      'skill-too-large',
      settings,
      location,
      `it has ${resources.length} files, and ${limits.files} is the limit (limits.files)`,
    );
  }
  const files = new Map<string, McpSkillFile>();
  let bytes = 0;
  for (const resource of resources as unknown[]) {
    const { uri, digest, size } = isJsonObject(resource) ? resource : {};
    const path = pathInSkill(location.root, uri);
    if (path === null) return refused('entry-invalid', settings, location, `its file ${show(uri)} does not lie in its folder`);
    if (files.has(path)) return refused('entry-invalid', settings, location, `its file ${show(path)} is listed twice`);
    if (
      typeof digest !== 'string' ||
      !/^sha256:[0-9a-f]{64}$/.test(digest) ||
      typeof size !== 'number' ||
      !Number.isSafeInteger(size) ||
      size < 0
    ) {
      return refused('entry-invalid', settings, location, `its file ${show(path)} has no size and SHA-256 in the form of the extension`);
    }
    files.set(path, { uri: uri as string, digest, size });
    bytes += size;
  }
  if (!files.has('SKILL.md')) return refused('entry-invalid', settings, location, 'its files do not include its SKILL.md');
  if (bytes > limits.skillBytes) {
    return refused(
      'skill-too-large',
      settings,
      location,
      `its files have ${bytes} bytes, and ${limits.skillBytes} is the limit (limits.skillBytes)`,
    );
  }
  return files;
}

/** The diagnostic for a skill that is not verified. */
export function unverified({ metadata, location }: Pick<IndexedSkill, 'metadata' | 'location'>): SkillDiagnostic {
  return {
    code: 'skill-unverified',
    severity: 'warning',
    message: `The server promises no digests for ${show(metadata.name)}, so nothing that is read of it can be verified (verified: false).`,
    skill: metadata.name,
    path: location.uri,
    fix: 'Ask the server to list the files of the skill, or read it only where the connection itself is trusted.',
  };
}

function refused(code: string, { label }: McpSkillSettings, location: SkillUri | null, why: string, fix?: string): ReadEntry {
  const what = location === null ? 'An entry' : `The skill ${show(location.path)}`;
  const diagnostic: SkillDiagnostic = {
    code,
    severity: 'error',
    message: `${what} of "${label}" was left out: ${why}.`,
    ...(location !== null && { skill: location.folder, path: location.uri }),
    fix:
      fix ??
      (code === 'entry-invalid' ? 'Ask who runs the server to fix it.' : 'Raise the limit if the server is to be given so much room.'),
  };
  return { skill: null, diagnostics: [diagnostic] };
}

/** A value from the server, for a message. */
export function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : typeof value;
}
