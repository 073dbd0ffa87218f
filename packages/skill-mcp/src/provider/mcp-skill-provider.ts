import type { SkillProvider } from '@repertoire/skills-core';
import {
  abortable,
  isResourcePath,
  mediaTypeOf,
  sha256Hex,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { ChangeWatch } from './change-watch.ts';
import { SkillFinder } from './find-skill.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import { KeptListing } from './kept-listing.ts';
import { getEntry } from './list-by-extension.ts';
import { loadSkill } from './load-skill.ts';
import { McpSessions, type McpSession } from './mcp-sessions.ts';
import { mcpSkillSettings, type McpSkillProviderOptions, type McpSkillSettings } from './mcp-skill-provider-options.ts';
import { PromisedReader } from './promised-reader.ts';
import { readManifest } from './read-manifest.ts';
import { readVerified } from './read-verified.ts';

/** A {@link SkillProvider} of an MCP server, with every optional ability of the contract. */
export type McpSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'watch'>> & { [Symbol.asyncDispose](): Promise<void> };

/**
 * Reads the skills of an MCP server, by the MCP Skills extension (SEP-2640). For a server without
 * it, the resources named `skill://…/SKILL.md`.
 *
 * Listing reads only entries. Every read of a skill is checked against the size and SHA-256 that
 * its entry promises, and the frontmatter against that of the entry. A file that the entry does not
 * list does not exist. If a check fails, the entry is requested once more: a skill that changed is
 * served in its new form, and one that did not change is rejected. Only the listing is cached.
 *
 * A skill is identified by the label and the URI of its `SKILL.md`, which is its place. Skills of
 * one name are all listed, by their paths. With `place`, or the URI as its name, a skill is found
 * that is not listed. `content` is the digest that the entry promises for all files together,
 * `null` if it promises none. A call with the `content` that was loaded resolves files by the entry
 * it was loaded from.
 *
 * `origin` consists of the label and the URI of the skill's folder, never of what the server says
 * about itself. Its `verified` is `false` if the server promises no digests.
 *
 * While nothing changes, the listing is the same frozen object. It is `complete: false` if the
 * server's listing was cut: by a limit, a timeout, or a failed page. After a timeout or failed
 * page, a missing skill may exist, so requests for it reject.
 *
 * `readResource` with the path `SKILL.md` returns the bytes of that file.
 *
 * Diagnostics: `entry-invalid`, `entry-too-large`, `entry-duplicate`, `skill-too-large`,
 * `skill-unreadable`, `skill-missing`, `listing-truncated`, `description-missing`,
 * `resources-truncated` (errors), `skill-unverified`, `skill-renamed` (warnings), and those of the
 * parser.
 *
 * @throws {SkillError} `invalid-options`, immediately. Calls reject with `source-unavailable` if
 *   the client is not connected or the server fails, `timeout` if it does not answer in time,
 *   `digest-mismatch` if the content is not as promised, and `limit-exceeded` for a file without a
 *   promise that is too large.
 * @example
 * ```ts
 * import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
 * import { mcpSkillProvider } from '@repertoire/skill-mcp';
 *
 * const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
 * await client.connect(new StreamableHTTPClientTransport(new URL('https://crm.example/mcp')));
 * export const provider = mcpSkillProvider({ label: 'crm', client });
 * ```
 */
export function mcpSkillProvider(options: McpSkillProviderOptions): McpSkillProvider {
  const settings = mcpSkillSettings(options);
  const { label } = settings;
  const sessions = new McpSessions(settings, () => changes.reconnected());
  const kept = new KeptListing(settings, sessions);
  const finder = new SkillFinder(settings, {
    listing: (signal) => kept.current(signal),
    entry: async (uri, signal) => {
      const at = await sessions.connect();
      return sessions.extensionOf(at) === undefined ? null : await getEntry(at.call, uri, signal);
    },
  });
  const invalidate = (): void => {
    finder.renew();
    kept.invalidate();
  };
  const changes = new ChangeWatch(settings, {
    // Immediately if possible, so that a change right after `watch` is noticed.
    connect: () => sessions.connection(),
    invalidate,
    hasChanged: async () => {
      finder.renew();
      return await kept.hasChanged();
    },
  });
  const reader = new PromisedReader(settings, { finder, sessions, invalidate, changed: () => changes.changed() });

  return {
    label,
    trusted: settings.trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      return (await kept.current(signal)).listing;
    },

    async getSkill(name: string, given: GetSkillOptions = {}) {
      return await reader.read(name, given, async (indexed, at) => {
        const { skill, content } = await loadSkill(indexed, at, { settings, sessions, finder }, given.signal);
        return given.content === undefined || given.content === content ? skill : null;
      });
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      return await reader.read(name, given, async (indexed, at) => await readFile(indexed, at, path, given, settings));
    },

    async contentOf(name: string, { content: _any, ...given }: GetSkillOptions = {}): Promise<string | null | undefined> {
      const skill = await abortable(() => finder.find(name, given), given.signal);
      return skill === undefined ? undefined : await finder.contentOf(skill);
    },

    watch: (onChange) => changes.watch(onChange),

    async [Symbol.asyncDispose]() {
      kept.close();
      changes.close();
      invalidate();
    },
  };
}

async function readFile(
  indexed: IndexedSkill,
  { call }: McpSession,
  path: string,
  { digest: wanted, maxBytes, signal }: ReadResourceOptions,
  settings: McpSkillSettings,
): Promise<SkillResource | null> {
  if (!isResourcePath(path)) return null;
  const isUnchecked = indexed.frontmatter === null && indexed.files === null;
  if (isUnchecked && path === '_manifest') return null;
  const skill = isUnchecked ? { ...indexed, files: await readManifest(call, indexed, settings, signal) } : indexed;
  const file = await readVerified(call, skill, path, settings, signal);
  if (file === null || (wanted !== undefined && wanted !== (file.digest ?? (await sha256Hex(file.bytes))))) return null;
  const { bytes, digest } = file;
  const cut = bytes.slice(0, maxBytes ?? bytes.length);
  return { path, bytes: cut, size: bytes.length, mediaType: mediaTypeOf(path), ...(digest !== undefined && { digest }) };
}
