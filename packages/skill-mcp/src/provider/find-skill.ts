import { SizedCache } from '@repertoire/skills-core/internal';
import { skillDigestFromFileDigests, type GetSkillOptions } from '@repertoire/skills-core/provider';
import { parseSkillUri } from '../protocol/skill-uri.ts';
import type { IndexedSkill, McpListing } from './indexed-skill.ts';
import { unavailable } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readEntry, show } from './read-entry.ts';

const maxEntries = 512;

/** What finding a skill needs of the server. */
export interface SkillLookup {
  listing(signal: AbortSignal | undefined): Promise<McpListing>;
  /** The entry of one skill by its URI; `null` if there is none, or the server has no entries. */
  entry(uri: string, signal: AbortSignal | undefined): Promise<unknown>;
}

/**
 * Finds skills by name and place. An empty or partial listing proves nothing, so a skill whose URI
 * is known is asked for by `skills/get` if it is not listed. Of a skill that was loaded, the entry
 * is pinned: its files resolve to the URIs of that entry, whatever the server lists now.
 */
export class SkillFinder {
  readonly #settings: McpSkillSettings;
  readonly #lookup: SkillLookup;
  readonly #pinned = new SizedCache<IndexedSkill>(maxEntries);
  readonly #unlisted = new SizedCache<{ readonly skill: IndexedSkill; readonly until: number }>(maxEntries);
  readonly #contents = new WeakMap<object, string>();

  constructor(settings: McpSkillSettings, lookup: SkillLookup) {
    this.#settings = settings;
    this.#lookup = lookup;
  }

  /** The skill that a call names, by the newest entry or by one with its `content`. */
  async find(name: string, options: GetSkillOptions): Promise<IndexedSkill | undefined> {
    const newest = await this.#newest(name, options);
    const { content } = options;
    if (content === undefined || (newest !== undefined && (await this.contentOf(newest)) === content)) return newest;
    const uri = options.place ?? newest?.location.uri;
    const pinned = uri === undefined ? undefined : this.#pinned.get(keyOf(uri, content));
    if (pinned !== undefined) return isNamed(pinned, name) ? pinned : undefined;
    if (uri === undefined || newest === undefined) return undefined;
    // The listing may be older than the entry that was loaded, by another process.
    const renewed = await this.#kept(uri, options.signal);
    return renewed !== undefined && (await this.contentOf(renewed)) === content ? { ...renewed, metadata: newest.metadata } : undefined;
  }

  /** Remembers the entry that a skill was loaded from. */
  async hold(skill: IndexedSkill): Promise<void> {
    const content = await this.contentOf(skill);
    if (content !== null && content !== undefined) this.#pinned.set(keyOf(skill.location.uri, content), skill, 1);
  }

  /** Forgets entries that were got by their URI: the server may promise something else now. */
  renew(): void {
    this.#unlisted.clear();
  }

  /** The promised content; `null` if none is, `undefined` where only reading tells. */
  async contentOf({ frontmatter, files }: IndexedSkill): Promise<string | null | undefined> {
    if (files === null) return frontmatter === null ? undefined : null;
    const known = this.#contents.get(files);
    if (known !== undefined) return known;
    const digests = [...files].map(([path, { digest }]) => [path, digest.slice('sha256:'.length)] as const);
    const content = await skillDigestFromFileDigests(Object.fromEntries(digests));
    this.#contents.set(files, content);
    return content;
  }

  async #newest(name: string, { version, place, source, signal }: GetSkillOptions): Promise<IndexedSkill | undefined> {
    if (source !== undefined && source !== this.#settings.label) return undefined;
    const { skills, interrupted } = await this.#lookup.listing(signal);
    const fits = ({ metadata }: IndexedSkill): boolean => version === undefined || metadata.version === version;
    const listed =
      place === undefined
        ? skills.find((skill) => skill.metadata.name === name && fits(skill))
        : skills.find(({ location }) => location.uri === place);
    // A loaded skill keeps its name, also if another one changed how both are listed.
    if (listed !== undefined) return place === undefined || (fits(listed) && isNamed(listed, name)) ? listed : undefined;
    const uri = place ?? name;
    const unlisted = parseSkillUri(uri) === null ? undefined : await this.#kept(uri, signal);
    if (unlisted !== undefined)
      return fits(unlisted) && isNamed(unlisted, name) ? { ...unlisted, metadata: { ...unlisted.metadata, name } } : undefined;
    if (interrupted) throw unavailable(this.#settings.label, `its listing broke off before ${show(name)} was found`);
    return undefined;
  }

  async #kept(uri: string, signal: AbortSignal | undefined): Promise<IndexedSkill | undefined> {
    const kept = this.#unlisted.get(uri);
    if (kept !== undefined && this.#settings.now() < kept.until) return kept.skill;
    const skill = await this.#byUri(uri, signal);
    if (skill !== undefined) this.#unlisted.set(uri, { skill, until: this.#settings.now() + this.#settings.minFreshMs }, 1);
    return skill;
  }

  async #byUri(uri: string, signal: AbortSignal | undefined): Promise<IndexedSkill | undefined> {
    const entry = await this.#lookup.entry(uri, signal);
    return entry === null ? undefined : (readEntry(entry, this.#settings).skill ?? undefined);
  }
}

function isNamed({ metadata, location, ownName }: IndexedSkill, name: string): boolean {
  return (
    name === metadata.name || name === ownName || name === location.uri || name === location.path || name.startsWith(`${location.path}~`)
  );
}

function keyOf(uri: string, content: string): string {
  return JSON.stringify([uri, content]);
}
