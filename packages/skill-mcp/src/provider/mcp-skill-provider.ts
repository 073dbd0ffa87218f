import { SkillError, type SkillProvider } from '@repertoire/skills-core';
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
import { isNotThere } from './mcp-call.ts';
import { McpSessions, type McpSession } from './mcp-sessions.ts';
import { mcpSkillSettings, type McpSkillProviderOptions } from './mcp-skill-provider-options.ts';
import { readEntry } from './read-entry.ts';
import { readManifest } from './read-manifest.ts';
import { readVerified } from './read-verified.ts';

/** A {@link SkillProvider} of an MCP server, with every optional ability of the contract. */
export type McpSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'watch'>> & { [Symbol.asyncDispose](): Promise<void> };

/**
 * The skills of an MCP server, by the MCP Skills extension (SEP-2640). For a server without it, the
 * resources named `skill://…/SKILL.md`.
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
      const before = kept.lastKeys;
      invalidate();
      await kept.current(undefined);
      return before !== undefined && before !== kept.lastKeys;
    },
  });

  /** Reads something. If it is not as promised, asks for the promise again and reads by that. */
  async function reading<Value>(
    name: string,
    options: GetSkillOptions,
    read: (skill: IndexedSkill, at: McpSession) => Promise<Value | null>,
  ): Promise<Value | null> {
    const { signal } = options;
    for (let attempt = 0; ; attempt += 1) {
      const skill = await abortable(() => finder.find(name, options), signal);
      if (skill === undefined) return null;
      const at = await sessions.connect();
      try {
        return await abortable(() => read(skill, at), signal);
      } catch (error) {
        const isMissing = isNotThere(error);
        if (!isMissing && !(SkillError.isInstance(error) && error.code === 'digest-mismatch')) throw error;
        if (skill.frontmatter === null) {
          // There is no entry to request, and the cached manifest may be outdated.
          if (isMissing) return null;
          if (attempt > 0) throw error;
          invalidate();
          continue;
        }
        if (attempt > 0 || !(await isRenewed(skill, at, signal))) {
          if (isMissing) return null;
          throw error;
        }
        changes.changed();
        // What was asked for is the content of before.
        if (options.content !== undefined) return null;
      }
    }
  }

  /** Whether the server promises something else now. */
  async function isRenewed(skill: IndexedSkill, at: McpSession, signal: AbortSignal | undefined): Promise<boolean> {
    const entry = await getEntry(at.call, skill.location.uri, signal);
    return entry === null || readEntry(entry, settings).skill?.key !== skill.key;
  }

  return {
    label,
    trusted: settings.trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      return (await kept.current(signal)).listing;
    },

    async getSkill(name: string, given: GetSkillOptions = {}) {
      return await reading(name, given, async (indexed, at) => {
        const { skill, content } = await loadSkill(indexed, at, { settings, sessions, finder }, given.signal);
        return given.content === undefined || given.content === content ? skill : null;
      });
    },

    async readResource(name: string, path: string, given: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { maxBytes, signal } = given;
      return await reading(name, given, async (indexed, at) => {
        if (!isResourcePath(path)) return null;
        const isUnchecked = indexed.frontmatter === null && indexed.files === null;
        if (isUnchecked && path === '_manifest') return null;
        const skill = isUnchecked ? { ...indexed, files: await readManifest(at.call, indexed, settings, signal) } : indexed;
        const file = await readVerified(at.call, skill, path, settings, signal);
        if (file === null) return null;
        const digest = file.digest ?? (given.digest === undefined ? undefined : await sha256Hex(file.bytes));
        if (given.digest !== undefined && given.digest !== digest) return null;
        return {
          path,
          bytes: file.bytes.slice(0, maxBytes ?? file.bytes.length),
          size: file.bytes.length,
          mediaType: mediaTypeOf(path),
          ...(file.digest !== undefined && { digest: file.digest }),
        };
      });
    },

    async contentOf(name: string, given: GetSkillOptions = {}): Promise<string | null | undefined> {
      const { content: _any, ...options } = given;
      const skill = await abortable(() => finder.find(name, options), given.signal);
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
