import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type SetTimer, type OptionRules } from '@repertoire/skills-core/internal';
import type { VerifySkillIndex } from '@repertoire/skills-core/provider';
import type { HttpLayout } from '../discovery/candidates.ts';
import type { FreshnessRules } from '../http/live-document.ts';
import type { HttpSkillCache } from '../http/http-cache.ts';
import type { HttpSettings } from '../http/http-settings.ts';
import { isPrivateHost } from '../http/is-private-host.ts';
import { checkUrl, type UrlPolicy } from '../http/url-policy.ts';

/** Bounds of {@link HttpSkillProviderOptions.limits}. Each is a whole number of at least 1. */
export interface HttpSkillLimits {
  /** Bytes of an index or a card. @default 16_777_216 */
  readonly indexBytes: number;
  /** Entries of an index; the rest is left out (`index-truncated`). @default 10_000 */
  readonly skills: number;
  /** Bytes of a SKILL.md, of an archive as it is sent, and of a single file. @default 16_777_216 */
  readonly artifactBytes: number;
  /** Bytes of all files of an archive together. @default 52_428_800 */
  readonly unpackedBytes: number;
  /** Files of a skill. @default 1_000 */
  readonly files: number;
  /** Unpacked bytes for each packed one, beyond the first 8 MiB. @default 200 */
  readonly ratio: number;
  /** Folders in a path of an archive. @default 16 */
  readonly depth: number;
  /** Bytes that are kept in memory of skills that were read. @default 67_108_864 */
  readonly memoryBytes: number;
}

/** Options of {@link httpSkillProvider}. */
export interface HttpSkillProviderOptions {
  /**
   * The place that publishes, such as `https://acme.example` or `https://acme.example/docs`; its
   * index is looked for below that path and nowhere else. Or the index or card itself, which ends
   * with `.json`.
   */
  readonly url: string | URL;
  /**
   * What to look for: `well-known` the discovery index 0.2.0 and then 0.1.0, `card` a
   * `skill-card.json`, `auto` all of them in this order.
   * @default 'auto'
   */
  readonly layout?: HttpLayout | undefined;
  /** Names the source. @default 'http' */
  readonly label?: string | undefined;
  /** Whether the host trusts the publisher, who then grants tools to your agent. @default false */
  readonly trusted?: boolean | undefined;
  /**
   * `lenient` repairs what it can; `strict` takes only what the formats allow. @default 'lenient'
   */
  readonly profile?: 'lenient' | 'strict' | undefined;
  /**
   * Verifies the signature of the index before anything of it is used, such as `indexVerifier` of
   * `@repertoire/skill-trust`. Only the discovery index 0.2.0 can be signed, since it names
   * everything by digests. A refused index never replaces a good one, which serves while its own
   * signature is valid. A signed index is not taken from `cache`.
   * @default indexes need no signature
   */
  readonly verifyIndex?: VerifySkillIndex | undefined;
  /**
   * Where level 1 comes from. `index` lists what the index says: one request. An index of another
   * tool has only names and descriptions; the rest of level 1 is known after `getSkill`. `artifact`
   * reads every skill to list it, so that level 1 is always whole, as a lock needs it.
   * @default 'index'
   */
  readonly levelOne?: 'index' | 'artifact' | undefined;
  /**
   * Sends a request. It must not follow redirects by itself (`request.redirect` is `manual`). On
   * Node.js, `guardedFetch()` of `@repertoire/skill-http/node` also looks at what names resolve to.
   * A handler of `createSkillsHandler` is one, too.
   * @default the platform's fetch
   */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Headers of each request to the origin of `url`, such as `authorization`; other origins never
   * see them. A function is called each time. Answers that were fetched with other headers are
   * never returned, unless `audience` says that they are for the same one.
   * @default none
   */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /**
   * Whom `headers` stand for, such as the id of a tenant. Each audience has a listing and copies of
   * its own. Set it if the values of `headers` change while the audience stays the same, such as a
   * renewed token. Otherwise each new token starts with an empty cache.
   * @default the headers themselves
   */
  readonly audience?: string | (() => string | Promise<string>) | undefined;
  /** More origins for entries and redirects, such as `https://cdn.acme.example`. @default none */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether `http:` URLs are allowed. @default false */
  readonly allowHttp?: boolean | undefined;
  /** Whether private addresses and names of local networks are allowed. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Milliseconds for one attempt, with its redirects and its whole body. @default 10_000 */
  readonly timeoutMs?: number | undefined;
  /** The same in milliseconds where a last good copy is at hand. @default 3_000 */
  readonly staleTimeoutMs?: number | undefined;
  /** Attempts after no connection, a timeout, 408, 425, 429, 500, 502, 503, 504. @default 2 */
  readonly retries?: number | undefined;
  /** Longest wait for `Retry-After`, in milliseconds; beyond it the call fails. @default 30_000 */
  readonly maxRetryAfterMs?: number | undefined;
  /** Redirects for one request; each is checked like the first URL. @default 3 */
  readonly maxRedirects?: number | undefined;
  /**
   * Minimum milliseconds for which an answer counts as fresh, whatever the server says. @default
   * 1_000
   */
  readonly minFreshMs?: number | undefined;
  /** Maximum milliseconds for which an answer counts as fresh. @default 86_400_000 (a day) */
  readonly maxFreshMs?: number | undefined;
  /** Milliseconds after that in which the old answer is given while revalidating. @default 0 */
  readonly staleWhileRevalidateMs?: number | undefined;
  /** Milliseconds that the last good copy serves while the server is down. @default Infinity */
  readonly maxStaleMs?: number | undefined;
  /**
   * Milliseconds that a failed server is left alone; `Retry-After` may prolong it. @default 5_000
   */
  readonly cooldownMs?: number | undefined;
  /** Keeps what was read, such as `diskCache()` of `@repertoire/skill-http/node`. @default none */
  readonly cache?: HttpSkillCache | undefined;
  /** Gets work that goes on after an answer, such as `ctx.waitUntil`. @default ignored */
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  /** Bounds, each with a default of its own. */
  readonly limits?: Partial<HttpSkillLimits> | undefined;
  /** The clock, in milliseconds since 1970; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** A timer for tests; what it returns cancels it. @default setTimeout */
  readonly setTimer?: SetTimer | undefined;
  /** From 0 to less than 1, for the jitter of retries; for tests. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface HttpSkillSettings {
  readonly url: string;
  readonly layout: HttpLayout;
  readonly label: string;
  readonly trusted: boolean;
  readonly profile: 'lenient' | 'strict';
  readonly levelOne: 'index' | 'artifact';
  readonly verifyIndex: VerifySkillIndex | undefined;
  /** Without the headers, which differ from call to call. */
  readonly http: Omit<HttpSettings, 'headers'>;
  readonly rules: FreshnessRules;
  readonly limits: HttpSkillLimits;
  readonly cache: HttpSkillCache | undefined;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly headers: NonNullable<HttpSkillProviderOptions['headers']>;
  readonly audience: HttpSkillProviderOptions['audience'];
}

const of = 'httpSkillProvider';
const defaultLimits: HttpSkillLimits = {
  indexBytes: 16_777_216,
  skills: 10_000,
  artifactBytes: 16_777_216,
  unpackedBytes: 52_428_800,
  files: 1_000,
  ratio: 200,
  depth: 16,
  memoryBytes: 67_108_864,
};

const knownLimits: OptionRules<HttpSkillLimits> = {
  indexBytes: 'number',
  skills: 'number',
  artifactBytes: 'number',
  unpackedBytes: 'number',
  files: 'number',
  ratio: 'number',
  depth: 'number',
  memoryBytes: 'number',
};
const knownOptions: OptionRules<HttpSkillProviderOptions> = {
  url: { string: true, '{}': true },
  layout: { auto: true, 'well-known': true, card: true },
  label: 'string',
  trusted: 'boolean',
  profile: { lenient: true, strict: true },
  verifyIndex: '()',
  levelOne: { index: true, artifact: true },
  fetch: '()',
  headers: { '{}': true, '()': true },
  audience: { string: true, '()': true },
  allowedOrigins: 'string[]',
  allowHttp: 'boolean',
  allowPrivateAddresses: 'boolean',
  timeoutMs: 'number',
  staleTimeoutMs: 'number',
  retries: 'number',
  maxRetryAfterMs: 'number',
  maxRedirects: 'number',
  minFreshMs: 'number',
  maxFreshMs: 'number',
  staleWhileRevalidateMs: 'number',
  maxStaleMs: 'number',
  cooldownMs: 'number',
  cache: '{}',
  waitUntil: '()',
  limits: { '{}': knownLimits },
  now: '()',
  setTimer: '()',
  random: '()',
};

/** Fills in the defaults. @throws {SkillError} `invalid-options` */
export function httpSkillSettings(options: HttpSkillProviderOptions): HttpSkillSettings {
  assertKnownOptions(of, options, knownOptions);
  const label = options.label ?? 'http';
  const origins = [originOf(String(options.url)), ...(options.allowedOrigins ?? []).map(originOf)];
  const policy: UrlPolicy = {
    label,
    origins: new Map(origins.map((origin) => [origin, isPrivateHost(new URL(origin).hostname)])),
    allowHttp: options.allowHttp ?? false,
    allowPrivateAddresses: options.allowPrivateAddresses ?? false,
  };
  const url = checkUrl(String(options.url), policy, { code: 'invalid-options' });
  const { headers = {}, limits = {} } = options;
  if (options.verifyIndex !== undefined && options.layout === 'card')
    throw new SkillError('invalid-options', `Option "verifyIndex" of ${of} needs an index, and "layout" is "card". Leave one of them out.`);
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return {
    url: url.href,
    layout: options.layout ?? 'auto',
    label,
    trusted: options.trusted ?? false,
    profile: options.profile ?? 'lenient',
    levelOne: options.levelOne ?? 'index',
    verifyIndex: options.verifyIndex,
    http: {
      label,
      policy,
      ownOrigin: url.origin,
      fetch: send,
      timeoutMs: numberOption('timeoutMs', options.timeoutMs, { of, fallback: 10_000, least: 1 }),
      staleTimeoutMs: numberOption('staleTimeoutMs', options.staleTimeoutMs, { of, fallback: 3_000, least: 1 }),
      retries: numberOption('retries', options.retries, { of, fallback: 2, least: 0 }),
      maxRetryAfterMs: numberOption('maxRetryAfterMs', options.maxRetryAfterMs, { of, fallback: 30_000, least: 0 }),
      maxRedirects: numberOption('maxRedirects', options.maxRedirects, { of, fallback: 3, least: 0 }),
      now: options.now ?? Date.now,
      setTimer: options.setTimer ?? startTimer,
      random: options.random ?? Math.random,
    },
    rules: {
      minFreshMs: numberOption('minFreshMs', options.minFreshMs, { of, fallback: 1_000, least: 0 }),
      maxFreshMs: numberOption('maxFreshMs', options.maxFreshMs, { of, fallback: 86_400_000, least: 0 }),
      staleWhileRevalidateMs: numberOption('staleWhileRevalidateMs', options.staleWhileRevalidateMs, { of, fallback: 0, least: 0 }),
      maxStaleMs: numberOption('maxStaleMs', options.maxStaleMs, { of, fallback: Number.POSITIVE_INFINITY, least: 0 }),
      cooldownMs: numberOption('cooldownMs', options.cooldownMs, { of, fallback: 5_000, least: 0 }),
    },
    limits: Object.fromEntries(
      Object.entries(defaultLimits).map(([key, fallback]) => [
        key,
        numberOption(`limits.${key}`, limits[key as keyof HttpSkillLimits], { of, fallback, least: 1 }),
      ]),
    ) as unknown as HttpSkillLimits,
    cache: options.cache,
    waitUntil: options.waitUntil ?? (() => {}),
    headers,
    audience: options.audience,
  };
}

function originOf(url: string): string {
  // A URL without an origin, such as `file:`, cannot be an allowed origin.
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url).origin;
  throw new SkillError(
    'invalid-options',
    `[skill-http] ${JSON.stringify(url)} is no absolute https: URL. Give one such as https://acme.example.`,
  );
}

function startTimer(callback: () => void, milliseconds: number): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
