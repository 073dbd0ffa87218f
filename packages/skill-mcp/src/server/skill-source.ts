import type { SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { SkillProvider } from '@repertoire/skills-core';
import { mediaTypeOf, sha256Hex } from '@repertoire/skills-core/provider';
import { pathInSkill } from '../protocol/skill-uri.ts';
import { publishedSkillMd, type PublishedEntry } from './published-entry.ts';
import type { PublishedIndex } from './published-index.ts';
import type { PublishSettings } from './serve-skills-over-mcp-options.ts';

/** FastMCP's list of a skill's files, for clients that only have resources. */
const manifestPath = '_manifest';
const directory = 'inode/directory';

type Entry = NonNullable<Awaited<ReturnType<SkillSource['get']>>>;

interface Child {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size?: number;
  readonly description?: string;
}

/** The source of the official server extension. `onStale` is called if listed files changed. */
export function skillSource(
  provider: SkillProvider,
  index: PublishedIndex,
  settings: PublishSettings,
  onStale: () => void,
): Required<SkillSource> {
  return {
    async list({ cursor }) {
      // The cursor is the last URI, so a change neither repeats nor skips entries.
      const { entries, hasMore } = await index.page(cursor, settings.pageSize);
      const last = entries.at(-1);
      return { skills: entries.map(entryOf), ...(hasMore && last !== undefined && { nextCursor: last.root }) };
    },

    async get(uri) {
      const found = await locate(index, uri);
      if (found?.path !== 'SKILL.md') return undefined;
      // A client that asks for one skill may have found changed files, so its entry is built again.
      const renewed = await index.renewed(found.entry);
      if (renewed === null || JSON.stringify(renewed.entry) !== JSON.stringify(found.entry.entry)) onStale();
      return renewed === null ? undefined : entryOf(renewed);
    },

    async read(uri) {
      const found = await locate(index, uri);
      if (found === undefined) return undefined;
      const { entry, path } = found;
      const promised = entry.files.get(path);
      if (promised === undefined) return path === manifestPath ? { text: manifestOf(entry), mimeType: 'application/json' } : undefined;
      const file = await readPublished(provider, entry, path, settings);
      if (file === undefined || `sha256:${file.digest ?? (await sha256Hex(file.bytes))}` !== promised.digest) onStale();
      if (file === undefined) return undefined;
      const { bytes } = file;
      const text = textOf(bytes);
      return { mimeType: mediaTypeOf(path), ...(text === undefined ? { bytes } : { text }) };
    },

    async readDirectory(uri) {
      const folder = canonical(uri.endsWith('/') ? uri : `${uri}/`);
      const entries = await index.where((root) => root.startsWith(folder) || folder.startsWith(root));
      const resources = childrenOf(folder, entries);
      // The folder of all skills is there, also while it is empty.
      return resources.length === 0 && folder !== 'skill://' ? undefined : { resources };
    },

    async listResources() {
      return (await index.where(() => true)).map(({ entry, files }) => ({
        uri: entry.uri,
        name: String(entry.frontmatter['name']),
        description: String(entry.frontmatter['description']),
        mimeType: 'text/markdown',
        size: files.get('SKILL.md')?.size,
      }));
    },
  };
}

/** The skill of a URI, and the path in it. */
async function locate(index: PublishedIndex, uri: string): Promise<{ entry: PublishedEntry; path: string } | undefined> {
  for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    const entry = await index.at(canonical(uri.slice(0, slash + 1)));
    const path = entry === null ? null : pathInSkill(entry.root, uri);
    if (entry !== null && path !== null) return { entry, path };
  }
  return undefined;
}

async function readPublished(
  provider: SkillProvider,
  { name, version }: PublishedEntry,
  path: string,
  { rewriteSkillMd }: PublishSettings,
): Promise<{ readonly bytes: Uint8Array; readonly digest?: string | undefined } | undefined> {
  if (path !== 'SKILL.md' || !rewriteSkillMd) {
    const resource = await provider.readResource(name, path, { version });
    if (resource !== null || path !== 'SKILL.md') return resource ?? undefined;
  }
  const skill = await provider.getSkill(name, { version });
  return skill === null ? undefined : await publishedSkillMd(provider, skill, rewriteSkillMd);
}

/** What is directly in a folder, which ends with a slash. */
function childrenOf(folder: string, entries: readonly PublishedEntry[]): Child[] {
  const children = new Map<string, Child>();
  for (const { files, descriptions } of entries) {
    for (const [path, { uri, size }] of files) {
      if (!uri.startsWith(folder)) continue;
      const [head = '', ...below] = uri.slice(folder.length).split('/');
      const name = decodeURIComponent(head);
      const isFolder = below.length > 0;
      children.set(
        head,
        isFolder
          ? { uri: folder + head, name, mimeType: directory }
          : { uri, name, mimeType: mediaTypeOf(path), size, ...described(descriptions.get(path)) },
      );
    }
  }
  return [...children.values()];
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

/** A copy, so that callers cannot change the cached entry. */
function entryOf({ entry }: PublishedEntry): Entry {
  const { uri, frontmatter, resources } = entry;
  // Cloning the whole takes several times as long.
  return { uri, frontmatter: structuredClone(frontmatter), resources: resources.map((file) => ({ ...file })) } as unknown as Entry;
}

/** Clients encode names differently; ours are encoded by `encodeURIComponent`. */
function canonical(uri: string): string {
  try {
    const [, base = '', path = ''] = /^(skill:\/\/)(.*)$/.exec(uri) ?? [];
    return (
      base +
      path
        .split('/')
        .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
        .join('/')
    );
  } catch {
    return uri;
  }
}

function manifestOf({ name, files }: PublishedEntry): string {
  const listed = [...files].map(([path, { size, digest }]) => ({ path, size, hash: digest }));
  return JSON.stringify({ skill: name, files: listed });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark at the start of a file is part of it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
