import { SkillError } from '@repertoire/skills-core';
import { compareSkills, sha256Hex, skillDigest, type SignSkillIndex, type SkillWriteResult } from '@repertoire/skills-core/provider';
import { contentOfFiles } from '../form/content-of-files.ts';
import type { Pointer } from '../form/pointer.ts';
import { releaseBytes, type ReleasedSkill } from '../form/release.ts';
import { createDocumentReader } from '../provider/document-reader.ts';
import type { ReadRelease } from '../provider/read-release.ts';
import type { ReleaseReader } from '../provider/release-reader.ts';
import type { StorageSettings } from '../provider/storage-skill-provider-options.ts';
import { putSignature } from '../publish/put-signature.ts';
import { readSkillToPublish } from '../publish/read-skill-to-publish.ts';
import { readPointer, swapPointer } from '../publish/swap-pointer.ts';
import { skillToWrite } from './skill-to-write.ts';

interface StoredWrite {
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array>> | null;
  readonly expected: string | null;
  readonly settings: StorageSettings;
  readonly releases: ReleaseReader;
  readonly signIndex: SignSkillIndex | undefined;
  readonly signal: AbortSignal | undefined;
}

/** As many earlier releases as publishing keeps by default. */
const leastPrevious = 2;

class OtherContent extends Error {
  readonly content: string | null;

  constructor(content: string | null) {
    super('The skill has another content.');
    this.content = content;
  }
}

/** Publishes the current release with one skill replaced. Writing the pointer is last. */
export async function writeStoredSkill(request: StoredWrite): Promise<SkillWriteResult> {
  const { files, settings, signal } = request;
  const { store } = settings;
  const content = files === null ? null : await skillDigest(files);
  // Files are stored once, even if the pointer moves and the write is repeated.
  let stored: ReleasedSkill | null | undefined;
  try {
    const found = await readPointer(store, signal);
    await swapPointer(store, found, signal, async (pointer) => {
      const base = await requireRelease(request, pointer);
      await requireExpected(request, base);
      stored ??= await storeFiles(request);
      return await nextPointer(request, base, stored, pointer);
    });
  } catch (error) {
    if (error instanceof OtherContent) return { written: false, content: error.content };
    throw error;
  }
  return { written: true, content };
}

/** Reads exactly the release of the pointer. Writing on top of an older one would lose skills. */
async function requireRelease({ name, settings, releases, signal }: StoredWrite, pointer: Pointer | null): Promise<ReadRelease> {
  const { label, store } = settings;
  const refused = (why: string): SkillError =>
    new SkillError('source-unavailable', `Skill ${JSON.stringify(name)} was not written: ${why}.`, { skill: name, source: label });
  if (pointer === null) throw refused(`there is no usable ${store.keys.current} in the store ${store.label}. Publish skills there first`);
  const release = await releases.read(pointer.release, signal);
  if (release === null)
    throw refused(`${store.keys.release(pointer.release)} is not there, or not visible here yet. Try again in a minute`);
  const { complete, diagnostics } = release.listing;
  if (!complete || diagnostics.length > 0)
    throw refused(
      `some entries of ${store.keys.release(pointer.release)} cannot be read, and would be lost (${diagnostics[0]?.message ?? ''}). Publish the skills again first`,
    );
  return release;
}

/** @throws {OtherContent} */
async function requireExpected({ name, expected, settings, signal }: StoredWrite, { skills }: ReadRelease): Promise<void> {
  const key = (text: string): string => text.normalize('NFC').toLowerCase();
  const other = skills.find(({ metadata }) => metadata.name !== name && key(metadata.name) === key(name));
  if (other !== undefined)
    throw new SkillError(
      'duplicate-skill',
      `There is a skill ${JSON.stringify(other.metadata.name)}, so no skill ${JSON.stringify(name)} can be written beside it. Take another name.`,
      { skill: name },
    );
  const [skill, another] = skills.filter(({ metadata }) => metadata.name === name);
  if (another !== undefined)
    throw new SkillError('unsupported', `The skill ${JSON.stringify(name)} has several versions. Publish it instead of writing it.`, {
      skill: name,
      source: settings.label,
    });
  const content = skill === undefined ? null : await contentOf(skill, settings, signal);
  if (content !== expected) throw new OtherContent(content);
}

/** The content that readers compute from what they are served. */
async function contentOf({ document, metadata, content }: ReleasedSkill, settings: StorageSettings, signal: AbortSignal | undefined) {
  const read = await createDocumentReader(settings).read(document, metadata.name, signal);
  if (read === null)
    throw new SkillError(
      'source-unavailable',
      `The contents of ${JSON.stringify(metadata.name)} are not in the store, or not visible here yet. Try again in a minute, or publish the skills again.`,
      { skill: metadata.name, source: settings.label },
    );
  return read.skillMd === null ? (content ?? null) : await contentOfFiles(read.skillMd.digest, read.resources);
}

/** Stores the files anew, so that their age protects them from pruning. */
async function storeFiles({ name, files, settings, signal }: StoredWrite): Promise<ReleasedSkill | null> {
  if (files === null) return null;
  const { store } = settings;
  const { provider, metadata } = await skillToWrite(name, files, settings);
  const uploader = {
    has: () => false,
    async file(_of: object, bytes: Uint8Array): Promise<string> {
      const digest = await sha256Hex(bytes);
      const key = store.keys.file(digest);
      await store.put(key, bytes, { signal });
      return digest;
    },
  };
  const { faults: _none, ...skill } = await readSkillToPublish(provider, metadata, uploader, signal);
  return skill;
}

/** Stores the release with the skill in it, and returns the pointer that leads there. */
async function nextPointer(
  { name, settings, signIndex, signal }: StoredWrite,
  base: ReadRelease,
  stored: ReleasedSkill | null,
  pointer: Pointer | null,
): Promise<Pointer> {
  const { store, limits } = settings;
  const skills = [...base.skills.filter(({ metadata }) => metadata.name !== name), ...(stored === null ? [] : [stored])];
  skills.sort((a, b) => compareSkills(a.metadata, b.metadata));
  // The search index is that of the previous skills. A search reads what differs.
  const bytes = await releaseBytes({ skills, searchIndex: base.searchIndex });
  if (skills.length > limits.skills || bytes.length > limits.releaseBytes)
    throw new SkillError(
      'limit-exceeded',
      `Skill ${JSON.stringify(name)} was not written: the release would have ${skills.length} skills in ${bytes.length} bytes, more than limits.skills (${limits.skills}) or limits.releaseBytes (${limits.releaseBytes}).`,
      { skill: name },
    );
  const release = await sha256Hex(bytes);
  const key = store.keys.release(release);
  await store.put(key, bytes, { signal });
  if (signIndex !== undefined) await putSignature(store, release, signIndex, signal);
  const earlier = pointer === null ? [] : [pointer.release, ...pointer.previous];
  const kept = Math.max(leastPrevious, pointer?.previous.length ?? 0);
  return { release, previous: earlier.filter((id) => id !== release).slice(0, kept) };
}
