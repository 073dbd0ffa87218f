/**
 * The contract between a source of skills and everything else.
 *
 * A *source* is a folder, a web site, an MCP server, a database, a module of code. It becomes a source of skills by
 * implementing {@link SkillProvider}: a label and three methods. Nothing in it knows of agents, prompts, frameworks or models;
 * everything that is decided about skills (what a model sees, in which words, what it may do) is decided once, in the core.
 *
 * A skill is disclosed in three levels, and each method serves one of them:
 *
 * | level | what | method | cost |
 * |---|---|---|---|
 * | 1 | name, description and the other fields of the frontmatter | {@link SkillProvider.listSkills} | cheap; read at every start |
 * | 2 | the body, and the list of files that come with it | {@link SkillProvider.getSkill} | one skill |
 * | 3 | the bytes of one file | {@link SkillProvider.readResource} | one file |
 *
 * ## Rules that hold for every source
 *
 * They are settled here in words so that the conformance suite of `@repertoire/skills-testkit` needs no option for any of them.
 *
 * - **Order.** Skills are listed in ascending order of `name`, compared by JavaScript's `<` (UTF-16 code units; no locale). Several
 *   versions of one name stand together, newest first. Resources are listed in ascending order of `path` by the same comparison.
 * - **Versions.** Of one name, each version is there once. A skill without a version is older than every version, and can be got by leaving
 *   the version out where it is the only one of its name; beside versions it is listed and can no longer be asked for, so give each a version.
 * - **Paths** are relative to the skill's own folder, with `/` between segments, in Unicode NFC, without `.` or `..` segments,
 *   without a leading or trailing `/`. The core normalizes what a model writes and refuses what is hostile before a provider sees
 *   it; a provider guards all the same, because it may be called by others.
 * - **`SKILL.md` itself is not a resource.** It is what levels 1 and 2 are made of.
 * - **Text** is UTF-8. A byte order mark at the start of `SKILL.md` is removed. Line ends of a body are `\n`. The bytes of a
 *   resource are never changed.
 * - **Missing is `null`.** An unknown skill, an unknown version, an unknown path and a forbidden path all answer `null`, so that
 *   an answer never tells what lies outside a skill. Only a source that cannot answer at all rejects.
 * - **Errors** are `SkillError`s. An abort rejects with the signal's `reason`, as soon as it happens, also when the signal was
 *   aborted before the call.
 * - **Isolation.** Whatever is returned belongs to the caller: changing it changes nothing in the provider, nor in what another
 *   caller got.
 * - **Caching** is the provider's own affair, and it owns being right: after a change that it has been told of, or could have
 *   noticed, it does not serve the old state for longer than its options say. The core caches nothing between calls.
 * - **No side effects.** No method changes what an agent has loaded; state is a fold over the agent's own history.
 * - **Concurrency.** Any number of calls may be in flight at once.
 *
 * @module
 */

/** Options of every call. */
export interface SkillCallOptions {
  /**
   * Gives the call up. The promise rejects with `signal.reason`.
   * @default never aborted
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link SkillProvider.getSkill}. */
export interface GetSkillOptions extends SkillCallOptions {
  /**
   * An exact version, as `listSkills` gave it. Ranges are resolved by the core and never reach a provider.
   * @default the newest version, which is the first that `listSkills` names
   */
  readonly version?: string | undefined;
}

/** Options of {@link SkillProvider.readResource}. */
export interface ReadResourceOptions extends GetSkillOptions {
  /**
   * The most bytes to return. A longer resource is cut to its first `maxBytes` bytes while `size` keeps telling the whole, which is
   * how a caller notices. A provider that can avoid reading the rest avoids it.
   * @default no limit
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Where a skill came from. It is made of what the *host* configured, never of what the source says of itself, so that trust cannot
 * be claimed.
 */
export interface SkillOrigin {
  /** The kind of source: `code`, `fs`, `http`, `mcp`, `storage`, or a word of your own. */
  readonly kind: string;
  /** The provider's label. */
  readonly label: string;
  /** Where exactly: the URL of the skill's folder, such as `file:///srv/skills/billing/`. Shown to people, used by runners. */
  readonly uri?: string | undefined;
  /**
   * Whether the host vouches for the source. An untrusted skill is read like any other, but nothing in it grants anything: its
   * `allowed-tools`, model, hooks, scripts and local tools are inert.
   */
  readonly trusted: boolean;
}

/** A value of a frontmatter field. Scalars are text, exactly as written: `1.10` stays `'1.10'`. */
export type SkillFieldValue = string | readonly SkillFieldValue[] | { readonly [key: string]: SkillFieldValue };

/**
 * Level 1: what is known of a skill without reading its body. The first five fields are those of the Agent Skills standard; the
 * rest are those that several tools understand.
 */
export interface SkillMetadata {
  /** Identifies the skill in its source (together with `version`). By the standard 1–64 of `a-z`, `0-9` and single hyphens. */
  readonly name: string;
  /** What the skill does and when to use it. By the standard at most 1024 characters. */
  readonly description: string;
  /** License name, or the name of a bundled license file. */
  readonly license?: string | undefined;
  /** What the skill needs of its environment. By the standard at most 500 characters. */
  readonly compatibility?: string | undefined;
  /** The standard's open map of text to text. Values that were not text are given as JSON here, and verbatim in `fields.metadata`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** `allowed-tools`: patterns of tools that the skill *asks* to use, one an element, such as `Bash(git:*)`. Policy decides. */
  readonly allowedTools?: readonly string[] | undefined;

  /** Version of the skill, as written. A skill without one is older than every version. */
  readonly version?: string | undefined;
  /** `when_to_use`: further words on when to use it; shown behind the description. */
  readonly whenToUse?: string | undefined;
  /** Names of tools that belong to the skill. The host supplies them; a file only names them. */
  readonly tools?: readonly string[] | undefined;
  /**
   * When the skill's `tools` may be called: `currentSkill` = only while it is loaded, `always` = from the start.
   * @default decided by the skillset
   */
  readonly autoActivate?: 'currentSkill' | 'always' | undefined;
  /** `disable-model-invocation`: only a person may start the skill; a model neither sees it nor loads it. @default false */
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
  /** Where its line of the catalog stands: in the system prompt, in the tools, in both, or as the model does best. @default the skillset's */
  readonly surfaceMode?: 'system-prompt' | 'tool-only' | 'both' | 'auto' | undefined;
  /** Repeat its instructions after so many tokens of conversation. @default the skillset's */
  readonly refreshPolicy?: { readonly afterTokens: number; readonly via?: 'tool-result' | 'on-load' | undefined } | undefined;
  /** Steps of a workflow skill, as written; numbers and booleans are typed here, since they are arguments of tools. */
  readonly steps?: readonly unknown[] | undefined;
  /** Every other field of the frontmatter, verbatim. Never interpreted, never lost. */
  readonly fields?: Readonly<Record<string, SkillFieldValue>> | undefined;

  /** Where it came from. Where a provider does not say, the core takes it for untrusted. */
  readonly origin?: SkillOrigin | undefined;
}

/** What a file of a skill is for, by the folder it lies in: `scripts/`, `references/`, `assets/`, `examples/`, any other place. */
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
  /** SHA-256 of the bytes in lower-case hex, where the source promises one. */
  readonly digest?: string | undefined;
}

/** Level 2: the skill as a model gets it, and what can be read further. */
export interface Skill extends SkillMetadata {
  /** The Markdown below the frontmatter, trimmed, with `\n` line ends. May be empty. */
  readonly body: string;
  /** All files of the skill but `SKILL.md`, without their contents. */
  readonly resources: readonly SkillResourceEntry[];
}

/** Level 3: the bytes of one file. */
export interface SkillResource {
  /** Path inside the skill, in the form that the list has. */
  readonly path: string;
  /** The bytes; at most `maxBytes` of them. Always a plain `Uint8Array`, never text: text is made of it by the core. */
  readonly bytes: Uint8Array;
  /** Size of the whole file in bytes. Greater than `bytes.length` exactly where the answer was cut. */
  readonly size: number;
  /** Media type, as in the list. */
  readonly mediaType: string;
  /** SHA-256 of the whole file in lower-case hex, where the source promises one. */
  readonly digest?: string | undefined;
}

/** Something that an author or an operator should know. It is data: nothing is logged, nothing is thrown. */
export interface SkillDiagnostic {
  /** What it is, for programs; the codes of each producer are documented with it. */
  readonly code: string;
  /** `error`: the skill (or source) is not usable. `warning`: usable, but not as written. `info`: worth knowing. */
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

/**
 * A source of skills.
 *
 * @example A source of one's own: rows of a database
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
 *       const skills = (await rows.all()).map(({ name, description }) => ({ name, description }));
 *       return skills.sort((a, b) => (a.name < b.name ? -1 : 1));
 *     },
 *     async getSkill(name, { version, signal } = {}) {
 *       signal?.throwIfAborted();
 *       const row = (await rows.all()).find((candidate) => candidate.name === name);
 *       return row && version === undefined ? { ...row, resources: [] } : null;
 *     },
 *     readResource: async () => null,
 *   };
 * }
 * ```
 */
export interface SkillProvider {
  /** Names the source for people and models: in diagnostics, in the origin of a skill, in errors. Short, and chosen by the host. */
  readonly label: string;

  /**
   * Lists level 1 of every skill.
   *
   * It never reads a body or a resource. It never rejects because one skill is bad: that skill is missing from the list and
   * present in `diagnostics()`. It rejects only when the source as a whole cannot answer (`source-unavailable`, `timeout`).
   */
  listSkills(options?: SkillCallOptions): Promise<readonly SkillMetadata[]>;

  /**
   * Reads level 2 of one skill: the same level 1 as in the list, the body, and the files. The name is compared exactly; being
   * forgiving about spelling is the core's part. A skill that is listed can be got, unless it changed in between.
   *
   * @returns `null` for an unknown name or version
   */
  getSkill(name: string, options?: GetSkillOptions): Promise<Skill | null>;

  /**
   * Reads level 3: one file of one skill. Every path in `resources` can be read; a provider may also serve files that its list
   * left out for length, as long as they lie inside the skill.
   *
   * @returns `null` for an unknown skill, an unknown path, a directory, and a path that may not be read
   */
  readResource(name: string, path: string, options?: ReadResourceOptions): Promise<SkillResource | null>;

  /**
   * Optional ability: calls `onChange` after something changed, at most once for each burst of changes. What changed is not told;
   * ask `listSkills` again, which by then answers with the new state. A provider without it is asked afresh by whoever needs news.
   *
   * @returns a function that ends the subscription; it may be called twice
   */
  watch?(onChange: () => void): () => void;

  /**
   * Optional ability: what the last listing skipped or had to mend, and why. A provider that has not listed yet lists first.
   * A provider without it is taken to have nothing to say.
   */
  diagnostics?(options?: SkillCallOptions): Promise<readonly SkillDiagnostic[]>;

  /** Optional ability: lets go of watchers, connections and caches. Calls after it reject with `source-unavailable`. Twice is fine. */
  [Symbol.asyncDispose]?(): Promise<void>;
}
