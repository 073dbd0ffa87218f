import { sharesPromises } from '@repertoire/skills-core/internal';
import { abortable, type SkillListing } from '@repertoire/skills-core/provider';
import type { McpListing } from './indexed-skill.ts';
import { listByExtension } from './list-by-extension.ts';
import { listByResources } from './list-by-resources.ts';
import { unavailable } from './mcp-call.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';

/** The listing of a server, kept for as long as the server and the host allow. */
export class KeptListing {
  readonly #settings: McpSkillSettings;
  readonly #sessions: McpSessions;
  #kept: { readonly listing: McpListing; readonly until: number } | undefined;
  #flight: Promise<McpListing> | undefined;
  #lastKeys: string | undefined;
  #lastListing: SkillListing | undefined;
  #closed = false;

  constructor(settings: McpSkillSettings, sessions: McpSessions) {
    this.#settings = settings;
    this.#sessions = sessions;
  }

  /** The current listing. Concurrent callers share one request, and each can abort on its own. */
  async current(signal: AbortSignal | undefined): Promise<McpListing> {
    signal?.throwIfAborted();
    if (this.#closed) throw unavailable(this.#settings.label, 'it was disposed');
    return await abortable(async () => {
      const at = await this.#sessions.connect();
      if (this.#kept !== undefined && this.#settings.now() < this.#kept.until) return this.#kept.listing;
      // If requests may not wait for one another, each lists separately.
      this.#flight = sharesPromises() ? (this.#flight ?? this.#look(at)) : this.#look(at);
      return await this.#flight;
    }, signal);
  }

  /** Whether the skills are others than in the last listing, even if that may no longer be used. */
  async hasChanged(): Promise<boolean> {
    const before = this.#lastKeys;
    this.invalidate();
    await this.current(undefined);
    return before !== undefined && before !== this.#lastKeys;
  }

  /** The next caller lists anew. */
  invalidate(): void {
    this.#kept = undefined;
    this.#flight = undefined;
  }

  /** Calls reject from now on. */
  close(): void {
    this.#closed = true;
  }

  #look(at: McpSession): Promise<McpListing> {
    const settings = this.#settings;
    // It starts in a later turn, when `started` is assigned.
    const started: Promise<McpListing> = Promise.resolve().then(async () => {
      const found = await (this.#sessions.extensionOf(at) === undefined ? listByResources : listByExtension)(at.call, settings);
      // Equal listings are the same object, so that data derived from it stays cached.
      const isSame = this.#lastListing !== undefined && JSON.stringify(this.#lastListing) === JSON.stringify(found.listing);
      this.#lastListing = isSame && this.#lastListing !== undefined ? this.#lastListing : found.listing;
      const listing: McpListing = { ...found, listing: this.#lastListing };
      if (this.#flight === started) {
        const freshMs = Math.min(Math.max(listing.ttlMs ?? 0, settings.minFreshMs), settings.maxFreshMs);
        this.#kept = { listing, until: settings.now() + freshMs };
        this.#flight = undefined;
      }
      this.#lastKeys = listing.skills.map(({ key }) => key).join('\n');
      return listing;
    });
    started.catch(() => {
      if (this.#flight === started) this.#flight = undefined;
    });
    return started;
  }
}
