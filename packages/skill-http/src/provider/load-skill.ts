import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { parsePlainSkillMd, plainSkillFromFiles, type SizedCache } from '@repertoire/skills-core/internal';
import { compareResources, resourceEntry, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import type * as skillMdReader from '@repertoire/skills-core/skill-md';
import type { FilesContent, SkillEntry } from '../discovery/skill-entry.ts';
import { archiveContent, type ArchiveContent } from './content-of-entry.ts';
import { differences, mergeLevelOne } from './merge-level-one.ts';
import { readArtifact } from './read-artifact.ts';
import { recordOf } from './record-of.ts';
import { isNoticed, readFile, type FileContext } from './read-file.ts';

/** A skill that was read. */
export interface LoadedSkill {
  /** Level 1, without an origin. */
  readonly metadata: SkillMetadata;
  readonly body: string;
  readonly resources: readonly SkillResourceEntry[];
  /** What an author or operator should know of it. */
  readonly notes: readonly SkillDiagnostic[];
}

/** What a skill is read with. */
export interface LoadContext extends FileContext {
  readonly profile: 'lenient' | 'strict';
  /** What archives hold, by their digests. */
  readonly contents: SizedCache<ArchiveContent>;
}

/**
 * Reads level 2.
 *
 * @throws {SkillError} `invalid-skill` for a SKILL.md that cannot be used or has another name than
 *   the index says, and those of reading
 */
export async function loadSkill(entry: SkillEntry, context: LoadContext, signal: AbortSignal | undefined): Promise<LoadedSkill> {
  const read =
    entry.content.kind === 'files' ? await loadFiles(entry, entry.content, context, signal) : await loadArtifact(entry, context, signal);
  const { metadata, diagnostics } = read;
  if (metadata === null)
    throw unusable(entry, context, diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'It cannot be read.');
  // A card has an id and a name for people. Its SKILL.md may use either as its name.
  const isNamed = metadata.name === entry.name || metadata.name === entry.metadata.metadata?.['title'];
  if (!isNamed) throw unusable(entry, context, `It says that its name is ${JSON.stringify(metadata.name)}.`);
  const differing = differences(entry, metadata).map((field): SkillDiagnostic => ({
    code: 'level-one-differs',
    severity: 'warning',
    message: `The ${field} of ${entry.name} in the index is not that of its SKILL.md; that of the index is used, since it was listed.`,
    skill: entry.name,
    path: entry.folder,
    fix: 'Make the index of what is served.',
  }));
  return { metadata: mergeLevelOne(entry, metadata), body: read.body, resources: read.resources, notes: [...diagnostics, ...differing] };
}

interface ReadSkill {
  readonly metadata: SkillMetadata | null;
  readonly body: string;
  readonly resources: readonly SkillResourceEntry[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

async function loadArtifact(entry: SkillEntry, context: LoadContext, signal: AbortSignal | undefined): Promise<ReadSkill> {
  if (entry.content.kind === 'files') throw new TypeError('Files are no artifact.');
  const { files, wrapper, litter } = await readArtifact(entry.content, context, signal);
  const options = { directoryName: entry.name, path: entry.content.url, profile: context.profile };
  const record = recordOf(files);
  const { definition, diagnostics } = plainSkillFromFiles(record, options) ?? (await yamlParser()).skillFromFiles(record, options);
  const all: SkillDiagnostic[] = [...diagnostics];
  if (wrapper !== undefined) {
    all.push({
      code: 'archive-folder',
      severity: 'warning',
      message: `The archive of ${entry.name} holds everything in the folder ${JSON.stringify(wrapper)}, which was taken away.`,
      skill: entry.name,
      path: entry.content.url,
      fix: 'Put SKILL.md at the top of the archive; other clients refuse this one.',
    });
  }
  if (litter.length > 0) {
    all.push({
      code: 'archive-litter',
      severity: 'info',
      message: `The archive of ${entry.name} holds ${litter.length} files that archivers add for themselves, such as ${JSON.stringify(litter[0])}, which were left out.`,
      skill: entry.name,
      path: entry.content.url,
      fix: 'Pack the folder without them.',
    });
  }
  if (definition === null) return { metadata: null, body: '', resources: [], diagnostics: all };
  const { body, resources = {}, skillMd, version = null, content: _content, ...metadata } = definition;
  const others = new Map(
    Object.entries(resources).flatMap(([path, bytes]) => (bytes instanceof Uint8Array ? [[path, bytes] as const] : [])),
  );
  const key = entry.content.digest;
  const known = context.contents.get(key) ?? (await archiveContent(skillMd instanceof Uint8Array ? skillMd : new Uint8Array(), others));
  context.contents.set(key, known, known.digests.size + 1);
  return {
    metadata: { ...metadata, version },
    body: typeof body === 'string' ? body : '',
    resources: [...others]
      .map(([path, bytes]) => resourceEntry(path, { size: bytes.length, digest: known.digests.get(path) ?? '' }))
      .sort(compareResources),
    diagnostics: all,
  };
}

async function loadFiles(
  entry: SkillEntry,
  { files }: FilesContent,
  context: LoadContext,
  signal: AbortSignal | undefined,
): Promise<ReadSkill> {
  const main = files.get('SKILL.md');
  if (main === undefined) throw unusable(entry, context, 'The card does not list SKILL.md.');
  const file = await readFile(main, context, signal);
  const options = { directoryName: entry.name, path: main.url, profile: context.profile };
  const { metadata, body, diagnostics } = parsePlainSkillMd(file.bytes, options) ?? (await yamlParser()).parseSkillMd(file.bytes, options);
  return {
    metadata,
    body,
    resources: [...files]
      .filter(([path]) => path !== 'SKILL.md')
      .map(([path, { digest }]) => resourceEntry(path, digest === undefined ? {} : { digest }))
      .sort(compareResources),
    diagnostics: [...diagnostics, ...isNoticed(file, entry.name)],
  };
}

/** Few frontmatters need it, and it is most of what a bundle with it weighs. */
async function yamlParser(): Promise<Pick<typeof skillMdReader, 'parseSkillMd' | 'skillFromFiles'>> {
  return await import('@repertoire/skills-core/skill-md');
}

function unusable({ name, folder, content }: SkillEntry, { http }: LoadContext, why: string): SkillError {
  const path = content.kind === 'files' ? folder : content.url;
  return new SkillError(
    'invalid-skill',
    `[skill-http] The skill ${JSON.stringify(name)} of ${path} cannot be used: ${why} The publisher has to fix it.`,
    {
      skill: name,
      path,
      source: http.label,
    },
  );
}
