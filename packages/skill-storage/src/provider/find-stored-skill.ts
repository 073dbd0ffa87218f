import { SkillError, type SkillDiagnostic } from '@repertoire/skills-core';
import type { GetSkillOptions } from '@repertoire/skills-core/provider';
import { contentOfFiles } from '../form/content-of-files.ts';
import type { ReleasedSkill } from '../form/release.ts';
import type { SkillDocument } from '../form/skill-document.ts';
import type { DocumentReader } from './document-reader.ts';
import type { ReadRelease } from './read-release.ts';
import type { ReleaseReader } from './release-reader.ts';

/** What skills are found with. */
export interface StoredSkills {
  readonly label: string;
  readonly documents: DocumentReader;
  readonly releases: ReleaseReader;
}

/** A skill with its document. */
export interface FoundSkill {
  readonly skill: ReleasedSkill;
  readonly document: SkillDocument;
  /** `undefined` for a skill that does not come from a file, in a release of an earlier version. */
  readonly content: string | undefined;
  /** A diagnostic if it is from an older release than the listed one. */
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** The newest complete skill, or that of a content. All levels come from one release. */
export async function findStoredSkill(stored: StoredSkills, name: string, options: GetSkillOptions): Promise<FoundSkill | null> {
  const { signal, place = name, content } = options;
  const { label, releases } = stored;
  const served = await releases.current(signal);
  if (place !== name) return null;
  const isListed = releasedSkill(served, name, options.version) !== null;
  if (!isListed && content === undefined) return null;
  const found = await findIn(stored, served, name, options);
  if (found !== null) return { ...found, diagnostics: [] };
  for (const id of served.previous) {
    try {
      const before = await findIn(stored, await releases.read(id, signal), name, options);
      if (before !== null) return { ...before, diagnostics: content === undefined ? [incomplete(name, served.id)] : [] };
    } catch (error) {
      signal?.throwIfAborted();
      // If it is unusable there too, an even older release is tried.
      if (!SkillError.isInstance(error)) throw error;
    }
  }
  if (content !== undefined) return null;
  throw new SkillError(
    'source-unavailable',
    `Skill ${JSON.stringify(name)} is listed by "${label}", and its contents are not there, or not visible here yet. Where it was published a moment ago, try again in a minute; else publish again.`,
    { skill: name, source: label },
  );
}

export function releasedSkill({ skills }: ReadRelease, name: string, version: string | null | undefined): ReleasedSkill | null {
  return skills.find(({ metadata }) => metadata.name === name && (version === undefined || metadata.version === version)) ?? null;
}

/** A skill of one release; `null` if missing, or of another content. */
async function findIn(
  { documents }: StoredSkills,
  release: ReadRelease | null,
  name: string,
  { version, content: wanted, signal }: GetSkillOptions,
): Promise<Omit<FoundSkill, 'diagnostics'> | null> {
  const skill = release === null ? null : releasedSkill(release, name, version);
  const document = skill === null ? null : await documents.read(skill.document, name, signal);
  if (skill === null || document === null) return null;
  const content = document.skillMd === null ? skill.content : await contentOfFiles(document.skillMd.digest, document.resources);
  return wanted === undefined || wanted === content ? { skill, document, content } : null;
}

function incomplete(name: string, id: string): SkillDiagnostic {
  return {
    code: 'release-incomplete',
    severity: 'warning',
    message: `Skill ${JSON.stringify(name)} serves as it was before, since release ${id.slice(0, 12)} is not visible here as a whole yet.`,
    skill: name,
    fix: 'Wait a minute where it was published just now. Else publish the skills again.',
  };
}
