import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import {
  DiagnosticList,
  fieldOf,
  isJsonObject,
  Pace,
  skillMetadataFromJson,
  type JsonObject,
  compareText,
  isSha256Hex,
} from '@repertoire/skills-core/internal';
import { compareSkills } from '@repertoire/skills-core/provider';
import { FormError, isSize, listDocumentBytes, parseDocument } from './json-document.ts';

/** Location of level 2 of a skill. */
export interface DocumentReference {
  readonly digest: string;
  readonly size: number;
}

/** A skill in a release. */
export interface ReleasedSkill {
  readonly metadata: SkillMetadata;
  readonly document: DocumentReference;
  /** Digest of all of its files; releases of earlier versions do not have it. */
  readonly content?: string | undefined;
}

/** Everything that was published together: level 1 of every skill, in the order of the contract. */
export interface Release {
  readonly skills: readonly ReleasedSkill[];
  /** Location of the search index of these skills. */
  readonly searchIndex?: DocumentReference | undefined;
}

/** A parsed release with its diagnostics. */
export interface ParsedRelease extends Release {
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Whether all of its skills were read; `false` beyond the limit. */
  readonly complete: boolean;
}

/** What an entry costs, in characters of text. */
const entryCost = 128;

const maxShownName = 200;

export async function releaseBytes({ skills, searchIndex }: Release): Promise<Uint8Array> {
  const list = skills.map(({ metadata, document, content }) => ({
    metadata: levelOneToJson(metadata),
    document: { digest: document.digest, size: document.size },
    ...(content !== undefined && { content }),
  }));
  return await listDocumentBytes('skills', list, {
    ...(searchIndex !== undefined && { searchIndex: { digest: searchIndex.digest, size: searchIndex.size } }),
  });
}

/** Level 1 as stored, without origin. The same fields give the same bytes. */
export function levelOneToJson({ origin: _origin, content: _content, version, ...metadata }: SkillMetadata): JsonObject {
  const fields = { ...metadata, ...(version !== null && { version }) };
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => compareText(a, b)));
}

/**
 * Parses a release. Unusable skills are skipped and reported.
 *
 * @throws {FormError} for an invalid release
 */
export async function parseRelease(bytes: Uint8Array, path: string, maxSkills: number): Promise<ParsedRelease> {
  const whole = parseDocument(bytes);
  const value = fieldOf(whole, 'skills');
  const searchIndex = parseReference(fieldOf(whole, 'searchIndex')) ?? undefined;
  if (!Array.isArray(value)) throw new FormError('has no list of skills');
  const diagnostics = new DiagnosticList();
  const tell = (diagnostic: Omit<SkillDiagnostic, 'path' | 'fix'>) =>
    diagnostics.add({ ...diagnostic, path, fix: 'Publish the skills again.' });
  if (value.length > maxSkills) {
    tell({
      code: 'release-truncated',
      severity: 'warning',
      message: `The release has ${value.length} skills, of which the first ${maxSkills} are used. Raise limits.skills where that is right.`,
    });
  }
  const pace = new Pace();
  const parsed: ReleasedSkill[] = [];
  for (const [index, entry] of (value as readonly unknown[]).slice(0, maxSkills).entries()) {
    await pace.spend(entryCost);
    const skill = parseSkill(entry, index, tell);
    if (skill !== null) parsed.push(skill);
  }
  const skills = parsed
    .sort((a, b) => compareSkills(a.metadata, b.metadata))
    .filter(({ metadata }, index, sorted) => {
      const before = sorted[index - 1]?.metadata;
      if (before?.name !== metadata.name || before.version !== metadata.version) return true;
      tell({
        code: 'release-entry-duplicate',
        severity: 'error',
        message: `The release has the skill ${JSON.stringify(metadata.name.slice(0, maxShownName))} twice; the first is used.`,
        skill: metadata.name,
      });
      return false;
    });
  return { skills, diagnostics: diagnostics.all, complete: value.length <= maxSkills, ...(searchIndex !== undefined && { searchIndex }) };
}

function parseSkill(
  entry: unknown,
  index: number,
  tell: (diagnostic: Omit<SkillDiagnostic, 'path' | 'fix'>) => void,
): ReleasedSkill | null {
  const levelOne = isJsonObject(entry) ? fieldOf(entry, 'metadata') : undefined;
  const name = isJsonObject(levelOne) ? fieldOf(levelOne, 'name') : undefined;
  const skill = typeof name === 'string' && name !== '' ? { skill: name } : {};
  const title =
    typeof name === 'string'
      ? `The skill ${JSON.stringify(name.slice(0, maxShownName))} of the release`
      : `Skill ${index + 1} of the release`;
  const left: string[] = [];
  const metadata = isJsonObject(levelOne) ? skillMetadataFromJson(levelOne, (key) => left.push(key)) : null;
  const document = isJsonObject(entry) ? parseReference(fieldOf(entry, 'document')) : null;
  if (metadata === null || document === null) {
    const what = metadata === null ? 'has no name or no description' : 'does not say where its document is';
    tell({ code: 'release-entry-invalid', severity: 'error', message: `${title} ${what}. It is left out.`, ...skill });
    return null;
  }
  if (left.length > 0) {
    tell({
      code: 'release-entry-metadata',
      severity: 'warning',
      message: `${title} has ${left.join(', ')} of another shape, which is ignored.`,
      ...skill,
    });
  }
  const content = isJsonObject(entry) ? fieldOf(entry, 'content') : undefined;
  return { metadata, document, ...(typeof content === 'string' && isSha256Hex(content) && { content }) };
}

function parseReference(value: unknown): DocumentReference | null {
  if (!isJsonObject(value)) return null;
  const [digest, size] = [fieldOf(value, 'digest'), fieldOf(value, 'size')];
  return typeof digest === 'string' && isSha256Hex(digest) && isSize(size) ? { digest, size } : null;
}
