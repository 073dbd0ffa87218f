import { compareResources, isResourcePath, isSha256Hex } from '@repertoire/skills-core/provider';
import { documentBytes, fieldOf, FormError, isJsonObject, isSize, parseDocument } from './json-document.ts';

/** One file of a skill, as its document names it. */
export interface StoredResource {
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
  /** SHA-256, which is also where it lies. */
  readonly digest: string;
}

/** Level 2 of a skill: what a listing does not need. */
export interface SkillDocument {
  readonly body: string;
  /** In the order of the contract. */
  readonly resources: readonly StoredResource[];
}

export function skillDocumentBytes({ body, resources }: SkillDocument): Uint8Array {
  return documentBytes({ body, resources: resources.map(({ path, size, mediaType, digest }) => ({ path, size, mediaType, digest })) });
}

/** @throws {FormError} for what cannot be used, all of it: a skill is whole, or it is not there */
export function parseSkillDocument(bytes: Uint8Array): SkillDocument {
  const value = parseDocument(bytes);
  const [body, listed] = [fieldOf(value, 'body'), fieldOf(value, 'resources')];
  if (typeof body !== 'string') throw new FormError('has no body');
  if (!Array.isArray(listed)) throw new FormError('has no list of files');
  const resources = listed.map(parseResource).sort(compareResources);
  const twice = resources.find(({ path }, index) => path === resources[index - 1]?.path);
  if (twice !== undefined) throw new FormError(`names the file ${JSON.stringify(twice.path)} twice`);
  return { body, resources };
}

function parseResource(value: unknown): StoredResource {
  const [path, size, mediaType, digest] = ['path', 'size', 'mediaType', 'digest'].map((key) =>
    isJsonObject(value) ? fieldOf(value, key) : undefined,
  );
  if (typeof path !== 'string' || !isResourcePath(path) || path === 'SKILL.md') {
    throw new FormError(`names a file ${JSON.stringify(path)}, which is no path inside a skill`);
  }
  if (!isSize(size) || typeof mediaType !== 'string' || typeof digest !== 'string' || !isSha256Hex(digest)) {
    throw new FormError(`does not say size, type and digest of the file ${JSON.stringify(path)}`);
  }
  return { path, size, mediaType, digest };
}
