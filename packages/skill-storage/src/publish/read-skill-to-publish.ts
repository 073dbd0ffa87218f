import { SkillError, type Skill, type SkillDiagnostic, type SkillMetadata, type SkillProvider } from '@repertoire/skills-core';
import { bytesToCopy, readListedFile, skillMetadataFromJson, skillSignatureFile } from '@repertoire/skills-core/internal';
import { mediaTypeOf, readSkillMd, sha256Hex, type SkillResourceEntry } from '@repertoire/skills-core/provider';
import { FormError } from '../form/json-document.ts';
import { contentOfFiles } from '../form/content-of-files.ts';
import { levelOneToJson, type ReleasedSkill } from '../form/release.ts';
import { parseSkillDocument, skillDocumentBytes, type StoredResource, type StoredSkillMd } from '../form/skill-document.ts';
import type { FileUploader } from './uploader.ts';

interface StoredSkill extends ReleasedSkill {
  /** What cannot be used, such as a file that the source does not list. */
  readonly faults: readonly SkillDiagnostic[];
}

/**
 * Reads one skill completely and passes its files to the uploader.
 *
 * @throws {SkillError} with `source` if the skill cannot be read; otherwise what the provider
 *   rejects with
 */
export async function readSkillToPublish(
  provider: SkillProvider,
  { name, version }: SkillMetadata,
  uploader: FileUploader,
  signal: AbortSignal | undefined,
): Promise<StoredSkill> {
  const skill = await told(provider, name, () => provider.getSkill(name, { version, signal, withBytes: bytesToCopy }));
  if (skill === null || skill.version !== version) {
    throw new SkillError(
      'source-unavailable',
      `Skill ${JSON.stringify(name)} was listed, and then could not be got. It may have changed meanwhile; try again.`,
      { skill: name, source: provider.label },
    );
  }
  if (skill.name !== name) {
    throw new SkillError(
      'invalid-skill',
      `Skill ${JSON.stringify(name)} cannot be published: its source gives ${JSON.stringify(skill.name)} for it, which is another one.`,
      { skill: name, source: provider.label },
    );
  }
  const resources: StoredResource[] = [];
  // What did not come with it is read one after another, so that only one is in memory.
  for (const entry of skill.resources) resources.push(await storeResource(provider, skill, entry, uploader, signal));
  const signature = await unlistedSignature(provider, skill, uploader, signal);
  if (signature !== null) resources.push(signature);
  const { body, resources: _resources, files: _files, diagnostics, content: _content, ...metadata } = skill;
  const skillMd = await storeSkillMd(provider, skill, uploader, signal);
  const bytes = skillDocumentBytes({ body, skillMd, resources });
  const unreadable = whyUnreadable(metadata, bytes);
  if (unreadable !== undefined) {
    throw new SkillError('invalid-skill', `Skill ${JSON.stringify(name)} cannot be published: it ${unreadable}.`, {
      skill: name,
      source: provider.label,
    });
  }
  const digest = await uploader.file({ skill: name, path: 'contents.json' }, bytes);
  const main = skillMd?.digest ?? (await sha256Hex((await readSkillMd(provider, skill, { signal })).bytes));
  const content = await contentOfFiles(main, resources);
  return {
    metadata,
    document: { digest, size: bytes.length },
    content,
    faults: diagnostics.filter(({ severity }) => severity === 'error'),
  };
}

/** The author's bytes. Text generated from fields is not stored. */
async function storeSkillMd(
  provider: SkillProvider,
  skill: Skill,
  uploader: FileUploader,
  signal: AbortSignal | undefined,
): Promise<StoredSkillMd | null> {
  const { name, version } = skill;
  const came = skill.files?.['SKILL.md'];
  const bytes = came ?? (await told(provider, name, () => provider.readResource(name, 'SKILL.md', { version, signal })))?.bytes;
  if (bytes === undefined) return null;
  return { size: bytes.length, digest: await uploader.file({ skill: name, path: 'SKILL.md' }, bytes) };
}

/** Such a source does not list its signature; without it nobody could verify the copy. */
async function unlistedSignature(
  provider: SkillProvider,
  { name, version, resources }: Skill,
  uploader: FileUploader,
  signal: AbortSignal | undefined,
): Promise<StoredResource | null> {
  const path = skillSignatureFile;
  if (resources.some((entry) => entry.path === path)) return null;
  const resource = await told(provider, name, () => provider.readResource(name, path, { version, signal }));
  if (resource === null) return null;
  const { bytes } = resource;
  return { path, size: bytes.length, mediaType: mediaTypeOf(path), digest: await uploader.file({ skill: name, path }, bytes) };
}

async function storeResource(
  provider: SkillProvider,
  skill: Skill,
  entry: SkillResourceEntry,
  uploader: FileUploader,
  signal: AbortSignal | undefined,
): Promise<StoredResource> {
  const { name } = skill;
  const { path, mediaType, size, digest, description } = entry;
  // The source promises the digest and the store has that file, so it need not be read.
  if (digest !== undefined && size !== undefined && uploader.has(digest, size)) return { path, size, mediaType, digest, description };
  const resource = await told(provider, name, () => readListedFile(provider, skill, entry, { signal }));
  if (resource === null || resource.bytes.length !== resource.size) {
    throw new SkillError(
      'resource-not-found',
      `Skill ${JSON.stringify(name)} lists ${path}, which could not be read as a whole. It may have changed meanwhile; try again.`,
      { skill: name, path, source: provider.label },
    );
  }
  return { path, size: resource.size, mediaType, digest: await uploader.file({ skill: name, path }, resource.bytes), description };
}

/** Why a reader would reject the skill, if the source breaks the contract. */
function whyUnreadable(metadata: SkillMetadata, document: Uint8Array): string | undefined {
  const left: string[] = [];
  const written = skillMetadataFromJson(levelOneToJson(metadata), (key) => left.push(key));
  if (written === null) return 'has no name or no description';
  if (left.length > 0) return `has ${left.join(', ')} of another shape than the contract says`;
  try {
    parseSkillDocument(document);
    return undefined;
  } catch (error) {
    if (error instanceof FormError) return error.message;
    throw error;
  }
}

/** Marks errors of the source, to tell them from those of the store. */
async function told<Value>(provider: SkillProvider, skill: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (cause) {
    if (!SkillError.isInstance(cause) || cause.source !== undefined) throw cause;
    throw new SkillError(cause.code, cause.message, { skill, path: cause.path, source: provider.label, cause });
  }
}
