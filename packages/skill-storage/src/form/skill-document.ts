import { fieldOf, isJsonObject, isSha256Hex } from '@repertoire/skills-core/internal';
import { compareResources, isResourcePath } from '@repertoire/skills-core/provider';
import { documentBytes, FormError, isSize, parseDocument } from './json-document.ts';

/** One file in the document of a skill. */
export interface StoredResource {
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
  /** SHA-256 of the file. It is also its key. */
  readonly digest: string;
  /** Description of the file, from the source. */
  readonly description?: string | undefined;
}

/** The author's `SKILL.md`. */
export interface StoredSkillMd {
  readonly size: number;
  /** SHA-256 of the file. It is also its key. */
  readonly digest: string;
}

/** Level 2 of a skill: everything that a listing does not need. */
export interface SkillDocument {
  readonly body: string;
  /** `null` for a skill that does not come from a file. */
  readonly skillMd: StoredSkillMd | null;
  /** In the order of the contract. */
  readonly resources: readonly StoredResource[];
}

export function skillDocumentBytes({ body, skillMd, resources }: SkillDocument): Uint8Array {
  return documentBytes({
    body,
    skillMd: skillMd === null ? null : { size: skillMd.size, digest: skillMd.digest },
    resources: resources.map(({ path, size, mediaType, digest, description }) => ({ path, size, mediaType, digest, description })),
  });
}

/** @throws {FormError} if any part is invalid: a skill is served completely or not at all */
export function parseSkillDocument(bytes: Uint8Array): SkillDocument {
  const value = parseDocument(bytes);
  const [body, listed] = [fieldOf(value, 'body'), fieldOf(value, 'resources')];
  if (typeof body !== 'string') throw new FormError('has no body');
  if (!Array.isArray(listed)) throw new FormError('has no list of files');
  const resources = listed.map(parseResource).sort(compareResources);
  const twice = resources.find(({ path }, index) => path === resources[index - 1]?.path);
  if (twice !== undefined) throw new FormError(`names the file ${JSON.stringify(twice.path)} twice`);
  return { body, skillMd: parseSkillMd(fieldOf(value, 'skillMd')), resources };
}

function parseResource(value: unknown): StoredResource {
  const [path, size, mediaType, digest, description] = ['path', 'size', 'mediaType', 'digest', 'description'].map((key) =>
    isJsonObject(value) ? fieldOf(value, key) : undefined,
  );
  if (typeof path !== 'string' || !isResourcePath(path) || path === 'SKILL.md') {
    throw new FormError(`names a file ${JSON.stringify(path)}, which is no path inside a skill`);
  }
  if (!isSize(size) || typeof mediaType !== 'string' || typeof digest !== 'string' || !isSha256Hex(digest)) {
    throw new FormError(`does not say size, type and digest of the file ${JSON.stringify(path)}`);
  }
  return { path, size, mediaType, digest, ...(typeof description === 'string' && { description }) };
}

function parseSkillMd(value: unknown): StoredSkillMd | null {
  if (value === null) return null;
  const [size, digest] = isJsonObject(value) ? [fieldOf(value, 'size'), fieldOf(value, 'digest')] : [];
  if (!isSize(size) || typeof digest !== 'string' || !isSha256Hex(digest)) throw new FormError('does not say where its SKILL.md is');
  return { size, digest };
}
