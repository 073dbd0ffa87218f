import type { SkillMetadata } from '@repertoire/skills-core';
import { fieldOf, isJsonObject, type JsonObject } from '@repertoire/skills-core/internal';
import { isResourcePath } from '@repertoire/skills-core/provider';
import { extensionField } from './discovery-format.ts';
import { quote, type IndexReader } from './index-reader.ts';
import { readEntryMetadata } from './read-entry-metadata.ts';
import type { EntryContent, FilesContent, SkillEntry } from './skill-entry.ts';

const maxVersions = 100;

/** Reads an entry of an index 0.2.0, and the older versions that it brings along. */
export function readEntry(entry: unknown, reader: IndexReader): SkillEntry[] {
  const first = readOne(entry, reader);
  if (first === null || !isJsonObject(entry)) return [];
  const extension = fieldOf(entry, extensionField);
  const versions = isJsonObject(extension) ? fieldOf(extension, 'versions') : undefined;
  if (!Array.isArray(versions)) return [first];
  const older = versions.slice(0, maxVersions).flatMap((version: unknown) => {
    const read = readOne(version, reader);
    if (read !== null && read.name !== first.name)
      reader.skip('index-entry-invalid', read.name, `it stands among the versions of ${quote(first.name)}.`);
    return read?.name === first.name ? [read] : [];
  });
  return [first, ...older];
}

function readOne(entry: unknown, reader: IndexReader): SkillEntry | null {
  const level = readEntryMetadata(entry, reader);
  if (level === null || !isJsonObject(entry)) return null;
  const { name } = level.metadata;
  const type = fieldOf(entry, 'type');
  if (type !== 'skill-md' && type !== 'archive') {
    reader.report(
      'warning',
      'index-entry-type',
      `The entry ${quote(name)} is left out: its type is ${quote(type)}, which nothing here can read.`,
      name,
    );
    return null;
  }
  const digest = fieldOf(entry, 'digest');
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    return reader.skip('index-entry-digest', name, `its digest is ${quote(digest)}.`, 'Give sha256: and 64 digits of lower-case hex.');
  const reference = fieldOf(entry, 'url');
  if (typeof reference !== 'string' || reference === '') return reader.skip('index-entry-url', name, 'it has no url.');
  const url = reader.resolve(reference, name);
  if (url === null) return null;
  return entryOf(level, new URL('.', url).href, { kind: type, url, digest: digest.slice('sha256:'.length) });
}

/** Reads an entry of an index 0.1.0, with files as paths or as `{ path, digest }`. */
export function readLegacyEntry(entry: unknown, reader: IndexReader): SkillEntry[] {
  const level = readEntryMetadata(entry, reader);
  if (level === null || !isJsonObject(entry)) return [];
  const { name } = level.metadata;
  const folder = new URL(`${encodeURIComponent(name)}/`, reader.context.url).href;
  const files = readFiles(entry, name, folder, reader);
  if (files === null) return [];
  if (!files.has('SKILL.md')) {
    reader.skip('index-entry-files', name, 'its files have no SKILL.md.', 'List it with the exact spelling.');
    return [];
  }
  return [entryOf(level, folder, { kind: 'files', files })];
}

function readFiles(entry: JsonObject, name: string, folder: string, reader: IndexReader): FilesContent['files'] | null {
  const listed = fieldOf(entry, 'files');
  if (!Array.isArray(listed)) return reader.skip('index-entry-files', name, `it lists no files: ${quote(listed)}.`);
  if (listed.length > reader.context.maxFiles)
    return reader.skip('index-entry-files', name, `it lists ${listed.length} files, and at most ${reader.context.maxFiles} are read.`);
  const files = new Map<string, { url: string; digest: string | undefined }>();
  for (const file of listed as unknown[]) {
    const path = isJsonObject(file) ? fieldOf(file, 'path') : file;
    const digest = isJsonObject(file) ? fieldOf(file, 'digest') : undefined;
    const normalized = typeof path === 'string' ? path.replace(/^\.\//, '').normalize('NFC') : '';
    if (typeof path !== 'string' || !isResourcePath(normalized) || !path.isWellFormed())
      return reader.skip('index-entry-files', name, `it lists ${quote(path)}, which is no path inside a skill.`);
    if (digest !== undefined && !(typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)))
      return reader.skip('index-entry-digest', name, `the digest of ${normalized} is ${quote(digest)}.`);
    // Uses the path as written, because the server knows the file by that spelling.
    const written = path.replace(/^\.\//, '').split('/').map(encodeURIComponent).join('/');
    files.set(normalized, { url: new URL(written, folder).href, digest: digest?.slice('sha256:'.length) });
  }
  return files;
}

/** Makes an entry of its parts. */
export function entryOf(
  { metadata, complete }: { readonly metadata: SkillMetadata; readonly complete: boolean },
  folder: string,
  content: EntryContent,
): SkillEntry {
  return { name: metadata.name, version: metadata.version, metadata, complete, folder, content };
}
