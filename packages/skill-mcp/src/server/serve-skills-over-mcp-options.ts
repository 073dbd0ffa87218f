import { SkillError } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/provider';

/** Options of {@link serveSkillsOverMcp} and {@link createMcpSkillsHandler}. */
export interface ServeSkillsOverMcpOptions {
  /** Folders before the name of each skill, such as `acme/billing` for `skill://acme/billing/refunds/SKILL.md`. @default none */
  readonly prefix?: string | undefined;
  /**
   * `strict` publishes what the rules of the extension allow, which is what official clients take; the rest is reported (`skill-not-published`). `lenient` lists those as well,
   * for clients that take them. Tools and prompts offer every skill in both.
   * @default 'strict'
   */
  readonly profile?: 'strict' | 'lenient' | undefined;
  /**
   * Whether to publish a `SKILL.md` that is written anew from what the provider serves, instead of the author's own bytes. It makes skills
   * publishable whose frontmatter official clients refuse: values of `metadata` become text, and invalid YAML becomes valid. Digests are then
   * not those of the author's folder.
   * @default false
   */
  readonly rewriteSkillMd?: boolean | undefined;
  /** Entries in one page of `skills/list`. @default 100 */
  readonly pageSize?: number | undefined;
  /** How long clients of protocol 2026-07-28 may use an answer without asking again, in milliseconds. @default 60_000 */
  readonly ttlMs?: number | undefined;
  /** Whether such an answer may be shared between users: `public` only where everyone gets the same skills. @default 'private' */
  readonly cacheScope?: 'public' | 'private' | undefined;
  /**
   * Milliseconds after which files are looked at again, of a provider that cannot `watch`. What changed earlier is noticed when it is read.
   * @default 60_000
   */
  readonly refreshMs?: number | undefined;
  /**
   * For hosts without the extension: the tools `list_skills`, `load_skill` and `read_skill_file`, and each skill that a person may start as a prompt, with its arguments.
   * @default false
   */
  readonly exposeTools?: boolean | undefined;
  /** The clock of `refreshMs`, in milliseconds; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface PublishSettings {
  readonly base: string;
  readonly profile: 'strict' | 'lenient';
  readonly rewriteSkillMd: boolean;
  readonly pageSize: number;
  readonly cacheHint: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  readonly refreshMs: number;
  readonly exposeTools: boolean;
  readonly now: () => number;
}

/** The options that everything which serves has; for the table of each. */
export const knownServeOptions: Readonly<Record<keyof ServeSkillsOverMcpOptions, true>> = {
  prefix: true,
  profile: true,
  rewriteSkillMd: true,
  pageSize: true,
  ttlMs: true,
  cacheScope: true,
  refreshMs: true,
  exposeTools: true,
  now: true,
};

/**
 * Fills in the defaults.
 *
 * @param of the function whose options they are
 * @throws {SkillError} `invalid-options` for a prefix that is no path, and for a number that is none or out of range
 */
export function publishSettings(options: ServeSkillsOverMcpOptions, of: string): PublishSettings {
  const { prefix = '' } = options;
  const segments = prefix.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => !/^[\w.~-]+$/.test(segment) || /^\.+$/.test(segment))) {
    throw new SkillError('invalid-options', `Option "prefix" of ${of} is ${JSON.stringify(prefix)}. Give folders such as "acme/billing".`);
  }
  return {
    base: `skill://${segments.map((segment) => `${segment}/`).join('')}`,
    profile: options.profile ?? 'strict',
    rewriteSkillMd: options.rewriteSkillMd ?? false,
    pageSize: numberOption('pageSize', options.pageSize, { of, fallback: 100, least: 1, whole: true }),
    cacheHint: {
      ttlMs: numberOption('ttlMs', options.ttlMs, { of, fallback: 60_000, least: 0, whole: true }),
      cacheScope: options.cacheScope ?? 'private',
    },
    refreshMs: numberOption('refreshMs', options.refreshMs, { of, fallback: 60_000, least: 0 }),
    exposeTools: options.exposeTools ?? false,
    now: options.now ?? Date.now,
  };
}
