import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type SetTimer, type OptionRules } from '@repertoire/skills-core/internal';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { McpClientLike } from '../connection/official-client.ts';

/** Limits of {@link McpSkillProviderOptions.limits}. Each is a whole number of at least 1. */
export interface McpSkillLimits {
  /** Maximum pages of a listing. The rest is left out (`listing-truncated`). @default 1_000 */
  readonly pages: number;
  /** Maximum skills of a listing. The rest is left out (`listing-truncated`). @default 10_000 */
  readonly skills: number;
  /**
   * Maximum characters of an entry's frontmatter as JSON, and of that of a SKILL.md. A larger entry
   * is not listed (`entry-too-large`).
   * @default 65_536
   */
  readonly frontmatterCharacters: number;
  /**
   * Maximum files of a skill. A larger skill is not listed (`skill-too-large`). The extension asks
   * hosts for at least 512.
   * @default 512
   */
  readonly files: number;
  /** Maximum bytes of a skill. The extension asks for at least 16 MiB. @default 16_777_216 */
  readonly skillBytes: number;
}

/** Options of {@link mcpSkillProvider}. */
export interface McpSkillProviderOptions {
  /**
   * The connected client. It belongs to the host: this package never connects, closes or reconnects
   * it. A `Client` of `@modelcontextprotocol/client` can be passed directly; `mcpConnectionV1` and
   * `resourceConnection` adapt others. A function is called for each request, for hosts that create
   * a new client to reconnect.
   */
  readonly client: McpClientLike | McpConnection | (() => McpClientLike | McpConnection | Promise<McpClientLike | McpConnection>);
  /**
   * Label of the source. Give each server its own, because label and URI identify a skill. Never
   * use the name that a server gives itself.
   * @default 'mcp'
   */
  readonly label?: string | undefined;
  /** Whether the host trusts the server, which then grants tools to your agent. @default false */
  readonly trusted?: boolean | undefined;
  /**
   * Which entries are accepted. `strict`: only those that follow the rules of the extension, like
   * official clients. `lenient`: also those that break a rule of the format (a name with capitals,
   * `metadata` that is not text), each with a diagnostic. What verification relies on is always
   * required: an entry without a complete list of files is rejected. Skills found among resources
   * are not bound by these rules, and are read leniently in both profiles.
   * @default 'strict'
   */
  readonly profile?: 'lenient' | 'strict' | undefined;
  /**
   * Only for servers without the extension, whose skills are found among resources. `index` lists
   * name and description of the resources; the rest of level 1 is known once a skill is fetched. A
   * skill whose resource has no description is read. `artifact` reads every skill to list it.
   * @default 'index'
   */
  readonly levelOne?: 'index' | 'artifact' | undefined;
  /** URIs of skills that the server has and does not list. @default none */
  readonly uris?: readonly string[] | undefined;
  /** Timeout of one request in milliseconds. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Timeout of a whole listing in milliseconds, over all pages. What has arrived by then is used
   * (`listing-truncated`).
   * @default 60_000
   */
  readonly listTimeoutMs?: number | undefined;
  /**
   * Minimum time in milliseconds that a listing is used, whatever the server says, unless it
   * reports a change.
   * @default 1_000
   */
  readonly minFreshMs?: number | undefined;
  /**
   * Longest use of a listing in milliseconds, whatever its `ttlMs`. @default 86_400_000 (one day)
   */
  readonly maxFreshMs?: number | undefined;
  /** Milliseconds without notifications that end a burst. @default 20 */
  readonly debounceMs?: number | undefined;
  /** Limits; each has its own default. */
  readonly limits?: Partial<McpSkillLimits> | undefined;
  /** The clock, in milliseconds; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** A timer for tests; what it returns cancels it. @default setTimeout */
  readonly setTimer?: SetTimer | undefined;
}

/** The options with every default filled in. */
export interface McpSkillSettings {
  readonly client: McpSkillProviderOptions['client'];
  readonly label: string;
  readonly trusted: boolean;
  readonly profile: 'lenient' | 'strict';
  readonly levelOne: 'index' | 'artifact';
  readonly uris: readonly string[];
  readonly timeoutMs: number;
  readonly listTimeoutMs: number;
  readonly minFreshMs: number;
  readonly maxFreshMs: number;
  readonly debounceMs: number;
  readonly limits: McpSkillLimits;
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

const of = 'mcpSkillProvider';
const defaultLimits: McpSkillLimits = { pages: 1_000, skills: 10_000, frontmatterCharacters: 65_536, files: 512, skillBytes: 16_777_216 };

const knownLimits: OptionRules<McpSkillLimits> = {
  pages: 'number',
  skills: 'number',
  frontmatterCharacters: 'number',
  files: 'number',
  skillBytes: 'number',
};
const knownOptions: OptionRules<McpSkillProviderOptions> = {
  client: { '{}': true, '()': true },
  label: 'string',
  trusted: 'boolean',
  profile: { lenient: true, strict: true },
  levelOne: { index: true, artifact: true },
  uris: 'string[]',
  timeoutMs: 'number',
  listTimeoutMs: 'number',
  minFreshMs: 'number',
  maxFreshMs: 'number',
  debounceMs: 'number',
  limits: { '{}': knownLimits },
  now: '()',
  setTimer: '()',
};

/**
 * Applies the defaults.
 *
 * @throws {SkillError} `invalid-options` for an unknown option or word, a missing client, and for a
 *   number that is invalid or out of range
 */
export function mcpSkillSettings(options: McpSkillProviderOptions): McpSkillSettings {
  assertKnownOptions(of, options, knownOptions);
  const { client, limits = {} } = options;
  if (client === undefined || client === null) {
    throw new SkillError('invalid-options', '[skill-mcp] mcpSkillProvider got no client. Give it a connected MCP client.');
  }
  const limit = (key: keyof McpSkillLimits): number =>
    numberOption(`limits.${key}`, limits[key], { of, fallback: defaultLimits[key], least: 1 });
  return {
    client,
    label: options.label ?? 'mcp',
    trusted: options.trusted ?? false,
    profile: options.profile ?? 'strict',
    levelOne: options.levelOne ?? 'index',
    uris: options.uris ?? [],
    timeoutMs: numberOption('timeoutMs', options.timeoutMs, { of, fallback: 10_000, least: 1 }),
    listTimeoutMs: numberOption('listTimeoutMs', options.listTimeoutMs, { of, fallback: 60_000, least: 1 }),
    minFreshMs: numberOption('minFreshMs', options.minFreshMs, { of, fallback: 1_000, least: 0 }),
    maxFreshMs: numberOption('maxFreshMs', options.maxFreshMs, { of, fallback: 86_400_000, least: 0 }),
    debounceMs: numberOption('debounceMs', options.debounceMs, { of, fallback: 20, least: 0 }),
    limits: {
      pages: limit('pages'),
      skills: limit('skills'),
      frontmatterCharacters: limit('frontmatterCharacters'),
      files: limit('files'),
      skillBytes: limit('skillBytes'),
    },
    now: options.now ?? Date.now,
    setTimer: options.setTimer ?? startTimer,
  };
}

function startTimer(callback: () => void, milliseconds: number): () => void {
  // A timer cannot count further; a larger value would fire at once.
  const timer = setTimeout(callback, Math.min(milliseconds, 2 ** 31 - 1));
  return () => clearTimeout(timer);
}
