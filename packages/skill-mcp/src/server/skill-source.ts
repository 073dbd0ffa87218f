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

/** A provider as the source that the official server extension serves. `onStale` is called where files turn out to be others than those that were listed. */
export function skillSource(
  provider: SkillProvider,
  index: PublishedIndex,
  settings: PublishSettings,
  onStale: () => void,
): Required<SkillSource> {
  const locate = async (uri: string): Promise<{ entry: PublishedEntry; path: string } | undefined> => {
    const { byRoot } = await index.listing();
    for (let slash = uri.lastIndexOf('/'); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
      const entry = byRoot.get(canonical(uri.slice(0, slash + 1)));
      const path = entry === undefined ? null : pathInSkill(entry.root, uri);
      if (entry !== undefined && path !== null) return { entry, path };
    }
    return undefined;
  };

  const bytesOf = async ({ name, version }: PublishedEntry, path: string): Promise<Uint8Array | undefined> => {
    if (path !== 'SKILL.md') return (await provider.readResource(name, path, { version }))?.bytes;
    const skill = await provider.getSkill(name, { version });
    return skill === null ? undefined : await publishedSkillMd(provider, skill, settings.rewriteSkillMd);
  };

  return {
    async list({ cursor }) {
      const { entries } = await index.listing();
      // The cursor is the last URI that was given, so that a change in between neither repeats nor skips others.
      const rest = cursor === undefined ? entries : entries.filter(({ root }) => root > cursor);
      const page = rest.slice(0, settings.pageSize);
      const last = page.at(-1);
      return { skills: page.map(entryOf), ...(rest.length > page.length && last !== undefined && { nextCursor: last.root }) };
    },

    async get(uri) {
      const found = await locate(uri);
      if (found?.path !== 'SKILL.md') return undefined;
      // Whoever asks for one skill may have found its files to be others: it is looked at anew.
      const renewed = await index.renewed(found.entry);
      if (renewed === null || JSON.stringify(renewed.entry) !== JSON.stringify(found.entry.entry)) onStale();
      return renewed === null ? undefined : entryOf(renewed);
    },

    async read(uri) {
      const found = await locate(uri);
      if (found === undefined) return undefined;
      const { entry, path } = found;
      const promised = entry.files.get(path);
      if (promised === undefined) return path === manifestPath ? { text: manifestOf(entry), mimeType: 'application/json' } : undefined;
      const bytes = await bytesOf(entry, path);
      if (bytes === undefined || `sha256:${await sha256Hex(bytes)}` !== promised.digest) onStale();
      if (bytes === undefined) return undefined;
      const text = textOf(bytes);
      return { mimeType: mediaTypeOf(path), ...(text === undefined ? { bytes } : { text }) };
    },

    async readDirectory(uri) {
      const { entries } = await index.listing();
      const folder = canonical(uri.endsWith('/') ? uri : `${uri}/`);
      const children = new Map<string, { uri: string; name: string; mimeType: string; size?: number; description?: string }>();
      for (const { files, descriptions } of entries.filter(({ root }) => root.startsWith(folder) || folder.startsWith(root))) {
        for (const [path, file] of files) {
          if (!file.uri.startsWith(folder)) continue;
          const [head = '', ...below] = file.uri.slice(folder.length).split('/');
          const name = decodeURIComponent(head);
          children.set(
            head,
            below.length > 0
              ? { uri: folder + head, name, mimeType: directory }
              : { uri: file.uri, name, mimeType: mediaTypeOf(path), size: file.size, ...described(descriptions.get(path)) },
          );
        }
      }
      return children.size === 0 ? undefined : { resources: [...children.values()] };
    },

    async listResources() {
      const { entries } = await index.listing();
      return entries.map(({ entry, files }) => ({
        uri: entry.uri,
        name: String(entry.frontmatter['name']),
        description: String(entry.frontmatter['description']),
        mimeType: 'text/markdown',
        size: files.get('SKILL.md')?.size,
      }));
    },
  };
}

function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}

/** A copy in the form of the extension: what is handed out must not change what is kept. */
function entryOf({ entry }: PublishedEntry): Entry {
  return structuredClone(entry) as unknown as Entry;
}

/** Clients spell names in their own way; ours is that of `encodeURIComponent`. */
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
    // The mark at the start of a file is a part of it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
