/**
 * The contract between a source of skills and everything else, version 1.
 *
 * A *source* is a folder, a website, an MCP server, a database or a module of code. It becomes a
 * source of skills by implementing {@link SkillProvider}: a label and three methods, one for each
 * level of disclosure. A source knows nothing of agents, prompts or models. Everything that is
 * decided about skills is decided once, in the core.
 *
 * | level | what | method | cost |
 * |---|---|---|---|
 * | 1 | name, description and the other fields of the frontmatter | `listSkills` | cheap; called at every start |
 * | 2 | the body, and the list of files | `getSkill` | one skill |
 * | 3 | the bytes of one file | `readResource` | one file |
 *
 * Rules that hold for every method:
 *
 * - **Errors** are `SkillError`s. An unknown skill, version or path is `null`, and so is a
 *   forbidden path, so that an answer never reveals what lies outside a skill. A method rejects
 *   only when the source as a whole cannot answer.
 * - **Abort** rejects with `signal.reason`, immediately, also if the signal was aborted before the
 *   call.
 * - **Isolation.** A returned value is deep-frozen, or it belongs to the caller. Changing it never
 *   changes what others get.
 * - **Order** is free. The core sorts what it shows (see `readListing`).
 * - **Caching** is the provider's own decision. It must not serve old state for longer than its
 *   options say. If nothing changed, return the same frozen objects again: what the core derives
 *   from them is memoized by identity.
 * - **Side effects.** No method changes what an agent has loaded. Any number of calls may be in
 *   flight.
 *
 * @module
 */

/**
 * A source of skills.
 *
 * @example A source of your own: rows of a database
 * ```ts
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * interface Rows { all(): Promise<{ name: string; description: string; body: string }[]> }
 *
 * export function rowSkillProvider(rows: Rows): SkillProvider {
 *   return {
 *     label: 'rows',
 *     async listSkills({ signal } = {}) {
 *       signal?.throwIfAborted();
 *       const skills = (await rows.all()).map(({ name, description }) => ({ name, description, version: null }));
 *       return { skills, diagnostics: [], complete: true };
 *     },
 *     async getSkill(name, { version, signal } = {}) {
 *       signal?.throwIfAborted();
 *       const row = (await rows.all()).find((candidate) => candidate.name === name);
 *       return row && (version ?? null) === null ? { ...row, version: null, resources: [], diagnostics: [] } : null;
 *     },
 *     readResource: async () => null,
 *   };
 * }
 * ```
 */
export interface SkillProvider {
  /**
   * Names the source for people and models: in diagnostics, in errors, in the origin of a skill.
   * Short, and chosen by the host.
   */
  readonly label: string;

  /**
   * Optional: whether the host trusts every skill of this source (`true`) or none (`false`). It
   * grants nothing; the origin of each skill decides. A composition looks at it while the source
   * has not answered yet, so that no skill without trust gets a name that may belong to a trusted
   * one.
   * @default not known before the source has listed its skills, or different from skill to skill
   */
  readonly trusted?: boolean | undefined;

  /**
   * Lists level 1 of every skill, in every version. It reads no body and no resource.
   *
   * It never rejects because one skill is bad: that skill is missing from `skills` and present in
   * `diagnostics`. It rejects with `source-unavailable` or `timeout` only if the source as a whole
   * cannot answer; it never answers an empty list instead.
   */
  listSkills(options?: SkillCallOptions): Promise<SkillListing>;

  /**
   * Reads level 2 of one skill: the same level 1 as in the list, the body, the list of files, and
   * what is wrong with it. The name is compared exactly. A skill that is listed can be fetched,
   * unless it changed in between.
   *
   * @returns `null` for an unknown name or version
   */
  getSkill(name: string, options?: GetSkillOptions): Promise<Skill | null>;

  /**
   * Reads level 3: one file of one skill. `path` is relative to the folder of the skill, with `/`,
   * in Unicode NFC, without `.` and `..` segments. The core normalizes what a model wrote and
   * refuses hostile paths; a provider checks again, because others may call it. Every path in
   * `resources` can be read. Bytes are never changed.
   *
   * `SKILL.md` is not among the `resources`. Reading that path answers the exact bytes that the
   * author wrote, or `null` if the source has none (skills in code, rows of a table). Whatever
   * copies, pins or signs skills works on those bytes.
   *
   * @returns `null` for an unknown skill, version or path, for a directory, and for a path that may
   *   not be read
   */
  readResource(name: string, path: string, options?: ReadResourceOptions): Promise<SkillResource | null>;

  /**
   * Optional: tells the content that `getSkill` would return now, without reading a body; see
   * {@link SkillMetadata.content}. The core asks before each call that a loaded skill opens, so
   * answer from what is known, as fresh as your listing.
   *
   * @returns the digest, `null` if the skill cannot be bound to a content, `undefined` if only
   *   `getSkill` can tell or the skill is unknown
   */
  contentOf?(name: string, options?: GetSkillOptions): Promise<string | null | undefined>;

  /**
   * Optional: calls `onChange` after something changed, at most once per burst of changes. What
   * changed is not told: call `listSkills`, which by then answers with the new state.
   *
   * @returns a function that ends the subscription; calling it again is a no-op
   */
  watch?(onChange: () => void): () => void;

  /**
   * Optional: names of the tools that the host closed by writing skills in code. Such tools stay
   * closed until one of these skills is loaded, whatever is listed. A provider that wraps others
   * returns theirs. Files and remote sources never have any.
   */
  gatedTools?(): readonly string[];

  /**
   * Optional: whether this view would list a skill if its source had it. It is asked about skills
   * that conversations loaded, while their source is away. A provider that wraps others asks them.
   * @default it would
   */
  mayList?(skill: SkillMetadata): boolean;

  /**
   * Optional: tools that the host put into skills in code (`defineSkill`), by name, for adapters
   * that know their kind. A provider that wraps others returns theirs. Files and remote sources
   * never have any.
   */
  toolSet?(): Readonly<Record<string, object>>;

  /**
   * Optional: replaces one skill as a whole, if its content still is `expected`. Nothing that an
   * agent does calls it: a person's decision does, see `acceptProposal` of
   * `@repertoire/skill-proposals`. A provider that wraps others does not forward it.
   *
   * Whoever reads gets the old content or the new one, never a mix of both, also after a crash. Of
   * two writers that expect the same content, one writes. A name that differs from a listed one by
   * case only is refused, and so are two such paths of files.
   *
   * @param files every file of the skill, `SKILL.md` among them; `null` removes the skill
   * @throws {SkillError} `invalid-skill`, `invalid-path` or `duplicate-skill` for what the source
   *   cannot hold, `source-unavailable` if it could not be written: then the old content is there,
   *   or what a later write finishes
   */
  write?(name: string, files: Readonly<Record<string, Uint8Array>> | null, options: WriteSkillOptions): Promise<SkillWriteResult>;

  /**
   * Optional: releases watchers, connections and caches. Calls after it reject with
   * `source-unavailable`. Disposing twice is a no-op.
   */
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** What {@link SkillProvider.listSkills} answers. */
export interface SkillListing {
  /** Level 1 of every skill that can be used, in any order. A name and version occurs once. */
  readonly skills: readonly SkillMetadata[];
  /** What was skipped or repaired, and why. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /**
   * Whether this is everything that the source has. `false` if the source knows that it could not
   * list all of it: a server of several did not answer, a limit was reached. Skills that are
   * skipped because they are bad do not make a listing incomplete.
   */
  readonly complete: boolean;
  /**
   * Sources, by label, whose part is a last good copy because they do not answer, with the time of
   * their last answer in milliseconds since 1970. Texts are served from such a copy; what it opens
   * ends after `gates.maxListingAgeMs`.
   * @default every source answered just now
   */
  readonly unconfirmed?: Readonly<Record<string, number>> | undefined;
}

/** Options of every call. */
export interface SkillCallOptions {
  /**
   * Aborts the call. The promise rejects with `signal.reason`.
   * @default never aborted
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SkillProvider.getSkill}. */
export interface GetSkillOptions extends SkillCallOptions {
  /**
   * An exact version, as listed. `null` is the skill without a version. Ranges are resolved by the
   * core and never reach a provider.
   * @default the newest version by `compareVersionsNewestFirst`; a skill without a version is the
   *   oldest
   */
  readonly version?: string | null | undefined;
  /**
   * Only a skill of the source with this label. A composition routes by it; a single source may
   * ignore it, since the core compares.
   */
  readonly source?: string | undefined;
  /**
   * Only the skill at this place, see {@link SkillOrigin.place}. A source that ignores it is
   * checked by the core.
   */
  readonly place?: string | undefined;
  /**
   * Only this content, also an older one that the source still has; `null` if it does not have it.
   * A source that ignores it is checked by the core.
   */
  readonly content?: string | undefined;
  /**
   * Also return {@link Skill.files}: the bytes of `SKILL.md` and of files, at most so many in all.
   * Whatever copies skills asks for it, since a source that reads files for their digests need not
   * open them twice. A source may ignore it.
   * @default 0
   */
  readonly withBytes?: number | undefined;
}

/** Options of {@link SkillProvider.readResource}. */
export interface ReadResourceOptions extends GetSkillOptions {
  /**
   * Maximum number of bytes to return. A longer resource is cut to its first `maxBytes` bytes;
   * `size` is still that of the whole file.
   * @default no limit
   */
  readonly maxBytes?: number | undefined;
  /**
   * Only a file with this SHA-256 (of the whole file); `null` for another one. The bytes that are
   * returned are those that were hashed. A source that ignores it is checked by the core.
   */
  readonly digest?: string | undefined;
}

/** Options of {@link SkillProvider.write}. */
export interface WriteSkillOptions extends SkillCallOptions {
  /** The content that is to be replaced; `null` if there must be no skill of this name. */
  readonly expected: string | null;
}

/** What {@link SkillProvider.write} did. */
export interface SkillWriteResult {
  /** `false` if the content was not the expected one; then nothing changed. */
  readonly written: boolean;
  /** The content that the source has now; `null` if it has no such skill. */
  readonly content: string | null;
}

/**
 * Where a skill came from. It is made of what the *host* configured, never of what the source says
 * of itself, so that trust cannot be claimed.
 */
export interface SkillOrigin {
  /** The kind of source: `code`, `fs`, `http`, `mcp`, `storage`, or a word of your own. */
  readonly kind: string;
  /** The provider's label. */
  readonly label: string;
  /**
   * Where exactly: the URL of the skill's folder, such as `file:///srv/skills/billing/`. Shown to
   * people, used by runners.
   */
  readonly uri?: string | undefined;
  /**
   * Where in its source, the same on every machine: the path below a root, the path below an index,
   * a URI. Never an absolute path. With the label and the version it identifies the skill; it is
   * compared, never opened.
   * @default the name
   */
  readonly place?: string | undefined;
  /**
   * Whether the host trusts the source. An untrusted skill is read like any other, but nothing in
   * it has an effect: its `tools`, `allowed-tools`, model, hooks, scripts and local tools are
   * inert.
   */
  readonly trusted: boolean;
}

/** A value of a frontmatter field. Scalars are text, exactly as written: `1.10` stays `'1.10'`. */
export type SkillFieldValue = string | readonly SkillFieldValue[] | { readonly [key: string]: SkillFieldValue };

/**
 * Level 1: what is known of a skill without reading its body. The first five fields are those of
 * the Agent Skills standard; the rest are those that several tools understand.
 */
export interface SkillMetadata {
  /**
   * Identifies the skill in its source (together with `version`). By the standard 1–64 of `a-z`,
   * `0-9` and single hyphens.
   */
  readonly name: string;
  /** What the skill does and when to use it. By the standard at most 1024 characters. */
  readonly description: string;
  /**
   * Version of the skill, as written; `null` for a skill without one, which is older than every
   * version.
   */
  readonly version: string | null;
  /** License name, or the name of a bundled license file. */
  readonly license?: string | undefined;
  /** What the skill needs of its environment. By the standard at most 500 characters. */
  readonly compatibility?: string | undefined;
  /**
   * Free-form `Record<string, string>` from the `metadata` field. Values that are not text are JSON
   * here, and verbatim in `fields.metadata`.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /**
   * `allowed-tools`: patterns of tools that the skill *asks* to use, one an element, such as
   * `Bash(git:*)`. Policy decides.
   */
  readonly allowedTools?: readonly string[] | undefined;

  /** `when_to_use`: further words on when to use it; shown behind the description. */
  readonly whenToUse?: string | undefined;
  /** Names of tools that belong to the skill. The host supplies them; a file only names them. */
  readonly tools?: readonly string[] | undefined;
  /**
   * When the skill's `tools` may be called: `currentSkill` = only while it is loaded, `always` =
   * from the start.
   * @default decided by the skillset
   */
  readonly autoActivate?: 'currentSkill' | 'always' | undefined;
  /**
   * `disable-model-invocation`: only a person may start the skill; a model neither sees it nor
   * loads it. @default false
   */
  readonly disableModelInvocation?: boolean | undefined;
  /** `user-invocable`: whether a person may start it by `/name`. @default true */
  readonly userInvocable?: boolean | undefined;
  /** `argument-hint`: how its arguments look, for a person: `[issue] [priority]`. */
  readonly argumentHint?: string | undefined;
  /** `arguments`: names of its positional arguments, in order. */
  readonly arguments?: readonly string[] | undefined;
  /** The model that the skill asks to run on while it is active. */
  readonly model?: string | undefined;
  /** `context`: `fork` asks to run in a sub-agent with a context of its own. */
  readonly context?: string | undefined;
  /** `agent`: the kind of sub-agent for `context: fork`. */
  readonly agent?: string | undefined;
  /**
   * Where its line of the catalog stands: in the system prompt, in the tools, in both, or as the
   * model does best. @default the skillset's
   */
  readonly surfaceMode?: 'system-prompt' | 'tool-only' | 'both' | 'auto' | undefined;
  /** Repeat its instructions after so many tokens of conversation. @default the skillset's */
  readonly refreshPolicy?: { readonly afterTokens: number; readonly via?: 'tool-result' | 'on-load' | undefined } | undefined;
  /**
   * Steps of a workflow skill, as written; numbers and booleans are typed here, since they are
   * arguments of tools.
   */
  readonly steps?: readonly unknown[] | undefined;
  /** Every other field of the frontmatter, verbatim. Never interpreted, never lost. */
  readonly fields?: Readonly<Record<string, SkillFieldValue>> | undefined;

  /** Where it came from. Where a provider does not say, the core takes it for untrusted. */
  readonly origin?: SkillOrigin | undefined;

  /**
   * Digest of everything that the skill consists of: `skillDigest` of `SKILL.md` and of every
   * listed file. A loaded skill is bound to it. `null`: the source cannot promise one, because a
   * body or a file is made by a function. Such a skill is *unpinned*.
   * @default not known at this level; the core computes it when the skill is loaded, if every file
   *   has a digest
   */
  readonly content?: string | null | undefined;
}

/** Level 2: the skill as a model gets it, and what can be read further. */
export interface Skill extends SkillMetadata {
  /** The Markdown below the frontmatter, trimmed, with `\n` line ends. May be empty. */
  readonly body: string;
  /** All files of the skill except `SKILL.md`, without their contents, in any order. */
  readonly resources: readonly SkillResourceEntry[];
  /** What was repaired or left out while this skill was read. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /**
   * What {@link GetSkillOptions.withBytes} asked for, by path: the bytes that `readResource` would
   * return, and of a listed file those of its `digest`. Read what is missing with `readResource`.
   * @default none
   */
  readonly files?: Readonly<Record<string, Uint8Array>> | undefined;
}

/** What a file is for, by its folder: `scripts/`, `references/`, `assets/`, `examples/`, others. */
export type SkillResourceKind = 'script' | 'reference' | 'asset' | 'example' | 'other';

/** One line of a skill's list of files. */
export interface SkillResourceEntry {
  /** Path inside the skill. */
  readonly path: string;
  /** What it is for. */
  readonly kind: SkillResourceKind;
  /** Media type, guessed from the extension unless the source knows better: `text/markdown`. */
  readonly mediaType: string;
  /** Size in bytes, where it is known without reading the file. */
  readonly size?: number | undefined;
  /** SHA-256 of the bytes in lower-case hex, if the source guarantees one. */
  readonly digest?: string | undefined;
  /** What the file is for, in one line, shown to models beside the path. */
  readonly description?: string | undefined;
}

/** Level 3: the bytes of one file. */
export interface SkillResource {
  /** Path inside the skill, in the form that the list has. */
  readonly path: string;
  /** At most `maxBytes` bytes, as a plain `Uint8Array`. */
  readonly bytes: Uint8Array;
  /** Size of the whole file. Greater than `bytes.length` if the answer was cut. */
  readonly size: number;
  /** Media type, as in the list. */
  readonly mediaType: string;
  /** SHA-256 of the whole file in lower-case hex, where the source promises one. */
  readonly digest?: string | undefined;
}

/**
 * Something that an author or an operator should know. It is data: nothing is logged and nothing is
 * thrown.
 */
export interface SkillDiagnostic {
  /** What it is, for programs. Each producer documents its codes. */
  readonly code: string;
  /**
   * `error`: the skill (or source) is not usable. `warning`: usable, but not as written. `info`:
   * worth knowing.
   */
  readonly severity: 'error' | 'warning' | 'info';
  /** What is wrong, in one or two sentences, with the offending value. */
  readonly message: string;
  /** Name of the skill, or of its folder where the name is not known. */
  readonly skill?: string | undefined;
  /** Path or URL of the file. */
  readonly path?: string | undefined;
  /** Line in the file, from 1. */
  readonly line?: number | undefined;
  /** Column in the line, from 1. */
  readonly column?: number | undefined;
  /** What to change. */
  readonly fix?: string | undefined;
}
