import { SkillError, type Skill, type SkillDiagnostic, type SkillProvider } from '@repertoire/skills-core';
import { deepFreeze, sharesPromises } from '@repertoire/skills-core/internal';
import {
  abortable,
  decodeText,
  isResourcePath,
  mediaTypeOf,
  resourceEntry,
  sha256Hex,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { mcpConnection, type McpClientLike } from '../connection/official-client.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import { skillsExtensionId } from '../protocol/skills-extension.ts';
import { ChangeWatch } from './change-watch.ts';
import { SkillFinder } from './find-skill.ts';
import { frontmatterDifference } from './frontmatter-difference.ts';
import type { IndexedSkill, McpListing } from './indexed-skill.ts';
import { getEntry, listByExtension } from './list-by-extension.ts';
import { listByResources, readArtifact } from './list-by-resources.ts';
import { listDirectory } from './list-directory.ts';
import { isNotThere, mcpCall, messageOf, unavailable, type McpCall } from './mcp-call.ts';
import { mcpSkillSettings, type McpSkillProviderOptions } from './mcp-skill-provider-options.ts';
import { readEntry, show } from './read-entry.ts';
import { readManifest } from './read-manifest.ts';
import { mismatch, readVerified, type VerifiedFile } from './read-verified.ts';

/** A {@link SkillProvider} of an MCP server, with every optional ability of the contract. */
export type McpSkillProvider = SkillProvider & Required<Pick<SkillProvider, 'watch'>> & { [Symbol.asyncDispose](): Promise<void> };

/** Of UTF-8. */
const maxBytesOfCharacter = 4;

/** What belongs to one connection. */
interface Session {
  readonly connection: McpConnection;
  readonly call: McpCall;
}

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
  const sessions = new WeakMap<object, Session>();
  let session: Session | undefined;
  let kept: { readonly listing: McpListing; readonly until: number } | undefined;
  let flight: Promise<McpListing> | undefined;
  // Keys of the last listing, even if it may no longer be used.
  let lastKeys: string | undefined;
  let lastListing: SkillListing | undefined;
  let closed = false;

  const finder = new SkillFinder(settings, {
    listing: (signal) => current(signal),
    entry: async (uri, signal) => {
      const at = await connect();
      return extensionOf(at) === undefined ? null : await getEntry(at.call, uri, signal);
    },
  });
  const invalidate = (): void => {
    finder.renew();
    kept = undefined;
    flight = undefined;
  };
  const changes = new ChangeWatch(settings, {
    // Immediately if possible, so that a change right after `watch` is noticed.
    connect: () =>
      typeof settings.client === 'function' ? connect().then(({ connection }) => connection) : sessionOf(settings.client).connection,
    invalidate,
    hasChanged: async () => {
      const before = lastKeys;
      invalidate();
      await current(undefined);
      return before !== undefined && before !== lastKeys;
    },
  });

  async function connect(): Promise<Session> {
    if (typeof settings.client !== 'function') return sessionOf(settings.client);
    let client: McpClientLike | McpConnection;
    try {
      client = await settings.client();
    } catch (cause) {
      throw unavailable(label, `no client: ${messageOf(cause)}`, cause);
    }
    return sessionOf(client);
  }

  function sessionOf(client: McpClientLike | McpConnection): Session {
    const known = sessions.get(client);
    if (known !== undefined && known === session) return known;
    const connection = isConnection(client) ? client : mcpConnection(client);
    const next = known ?? { connection, call: mcpCall(connection, settings) };
    sessions.set(client, next);
    const isOther = session !== undefined;
    session = next;
    if (isOther) changes.reconnected();
    return next;
  }

  function extensionOf({ connection }: Session): Readonly<Record<string, unknown>> | undefined {
    try {
      return connection.extension(skillsExtensionId);
    } catch (cause) {
      throw unavailable(label, messageOf(cause), cause);
    }
  }

  /** The current listing. Concurrent callers share one request, and each can abort on its own. */
  async function current(signal: AbortSignal | undefined): Promise<McpListing> {
    signal?.throwIfAborted();
    if (closed) throw unavailable(label, 'it was disposed');
    return await abortable(async () => {
      const at = await connect();
      if (kept !== undefined && settings.now() < kept.until) return kept.listing;
      // If requests may not wait for one another, each lists separately, and the last listing is
      // kept.
      flight = sharesPromises() ? (flight ?? look(at)) : look(at);
      return await flight;
    }, signal);
  }

  function look(at: Session): Promise<McpListing> {
    // It starts in a later turn, when `started` is assigned.
    const started: Promise<McpListing> = Promise.resolve().then(async () => {
      const found = await (extensionOf(at) === undefined ? listByResources : listByExtension)(at.call, settings);
      // Equal listings are the same object, so that data derived from it stays cached.
      if (lastListing === undefined || JSON.stringify(lastListing) !== JSON.stringify(found.listing)) lastListing = found.listing;
      const listing: McpListing = { ...found, listing: lastListing };
      if (flight === started) {
        const freshMs = Math.min(Math.max(listing.ttlMs ?? 0, settings.minFreshMs), settings.maxFreshMs);
        kept = { listing, until: settings.now() + freshMs };
        flight = undefined;
      }
      lastKeys = listing.skills.map(({ key }) => key).join('\n');
      return listing;
    });
    started.catch(() => {
      if (flight === started) flight = undefined;
    });
    return started;
  }

  /**
   * Reads something of a skill. If it is not as promised, it checks whether the promise changed,
   * and if so, reads by the new one.
   */
  async function reading<Value>(
    name: string,
    options: GetSkillOptions,
    read: (skill: IndexedSkill, at: Session) => Promise<Value | null>,
  ): Promise<Value | null> {
    const { signal } = options;
    for (let attempt = 0; ; attempt += 1) {
      const skill = await abortable(() => finder.find(name, options), signal);
      if (skill === undefined) return null;
      const at = await connect();
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
  async function isRenewed(skill: IndexedSkill, at: Session, signal: AbortSignal | undefined): Promise<boolean> {
    const entry = await getEntry(at.call, skill.location.uri, signal);
    return entry === null || readEntry(entry, settings).skill?.key !== skill.key;
  }

  async function getSkill(
    indexed: IndexedSkill,
    at: Session,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly skill: Skill; readonly content: string | null }> {
    let skill = indexed;
    let content: string | Uint8Array;
    if (skill.frontmatter === null) {
      const whole = await readArtifact(at.call, skill, settings, signal);
      if (whole.skill === null) throw mismatch(skill, 'SKILL.md', settings, whole.diagnostics.map(({ message }) => message).join(' '));
      // It keeps the name by which it was found. The rest of level 1 comes from the file.
      skill = { ...whole.skill, metadata: { ...whole.skill.metadata, name: indexed.metadata.name } };
      content = whole.text;
    } else {
      const main = (await readVerified(at.call, skill, 'SKILL.md', settings, signal)) as VerifiedFile;
      const text = decodeText(main.bytes);
      const difference = text === null ? 'it is no text' : frontmatterDifference(skill.frontmatter, text, settings);
      if (difference !== undefined) throw mismatch(skill, 'SKILL.md', settings, difference);
      content = main.bytes;
    }
    const { location } = skill;
    const maxFrontmatterBytes = settings.limits.frontmatterCharacters * maxBytesOfCharacter;
    const { body, diagnostics } = parseSkillMd(content, {
      directoryName: location.folder,
      path: location.uri,
      maxBytes: settings.limits.skillBytes * maxBytesOfCharacter,
      maxFrontmatterBytes,
    });
    const files = await resourcesOf(skill, at);
    const told = [...diagnostics, ...skill.diagnostics.filter(({ code }) => code === 'skill-unverified'), ...files.diagnostics];
    const whole = (await finder.contentOf(skill)) ?? null;
    await finder.hold(skill);
    return { skill: deepFreeze({ ...skill.metadata, content: whole, body, resources: files.entries, diagnostics: told }), content: whole };
  }

  async function resourcesOf(
    skill: IndexedSkill,
    at: Session,
  ): Promise<{ readonly entries: Skill['resources']; readonly diagnostics: readonly SkillDiagnostic[] }> {
    const canWalk = skill.files === null && skill.frontmatter !== null && extensionOf(at)?.['directoryRead'] === true;
    const open = canWalk ? await listDirectory(at.call, skill, settings) : { files: skill.unverified, complete: true };
    const entries =
      skill.files === null
        ? [...open.files].map(([path, { size, description }]) =>
            resourceEntry(path, { ...(size !== undefined && { size }), ...(description !== undefined && { description }) }),
          )
        : [...skill.files].map(([path, { size, digest }]) => {
            const description = skill.unverified.get(path)?.description;
            const known = { size, digest: digest.slice('sha256:'.length) };
            return resourceEntry(path, description === undefined ? known : { ...known, description });
          });
    return {
      entries: entries.filter(({ path }) => path !== 'SKILL.md'),
      diagnostics: open.complete ? [] : [filesTruncated(skill, settings)],
    };
  }

  return {
    label,
    trusted: settings.trusted,

    async listSkills({ signal }: SkillCallOptions = {}): Promise<SkillListing> {
      return (await current(signal)).listing;
    },

    async getSkill(name: string, given: GetSkillOptions = {}) {
      return await reading(name, given, async (indexed, at) => {
        const { skill, content } = await getSkill(indexed, at, given.signal);
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
      closed = true;
      changes.close();
      invalidate();
    },
  };
}

function isConnection(client: McpClientLike | McpConnection): client is McpConnection {
  return 'extension' in client && typeof client.extension === 'function';
}

function filesTruncated(
  { metadata, location }: IndexedSkill,
  { limits }: { readonly limits: { readonly files: number } },
): SkillDiagnostic {
  return {
    code: 'resources-truncated',
    severity: 'error',
    message: `Skill ${show(metadata.name)} has more than ${limits.files} files or folders, or a folder that could not be listed; the list leaves the rest out.`,
    skill: metadata.name,
    path: location.uri,
    fix: 'Raise limits.files, or ask the server to list the files of the skill in its entry.',
  };
}
