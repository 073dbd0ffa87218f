import type { OptionRules } from '@repertoire/skills-core/internal';
import { SkillError } from '@repertoire/skills-core';
import { numberOption } from '@repertoire/skills-core/internal';

/** Options of {@link serveSkillsOverMcp} and {@link createMcpSkillsHandler}. */
export interface ServeSkillsOverMcpOptions {
  /**
   * Folders before the name of each skill, such as `acme/billing` for
   * `skill://acme/billing/refunds/SKILL.md`.
   * @default none
   */
  readonly prefix?: string | undefined;
  /**
   * `strict` publishes only skills that follow the rules of the extension, which official clients
   * accept; others are reported (`skill-not-published`). `lenient` lists those too, for clients
   * that accept them. Tools and prompts offer every skill in both profiles.
   * @default 'strict'
   */
  readonly profile?: 'strict' | 'lenient' | undefined;
  /**
   * Whether to publish a `SKILL.md` that is rewritten from what the provider serves, instead of the
   * author's bytes. Skills whose frontmatter official clients reject can then be published: values
   * of `metadata` become text, and invalid YAML becomes valid. The digests then differ from those
   * of the author's folder.
   * @default false
   */
  readonly rewriteSkillMd?: boolean | undefined;
  /** Entries in one page of `skills/list`. @default 100 */
  readonly pageSize?: number | undefined;
  /** Milliseconds that clients of 2026-07-28 may reuse an answer. @default 60_000 */
  readonly ttlMs?: number | undefined;
  /**
   * Whether such an answer may be shared between users. Use `public` only if everyone gets the same
   * skills.
   * @default 'private'
   */
  readonly cacheScope?: 'public' | 'private' | undefined;
  /**
   * Milliseconds after which files are checked again, for a provider without `watch`. A change
   * before that is noticed when the file is read.
   * @default 60_000
   */
  readonly refreshMs?: number | undefined;
  /**
   * For clients without the extension: the tools `list_skills`, `load_skill` and `read_skill_file`,
   * and a prompt with arguments for each skill that a person may start.
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

/** The options that all serving functions share, for their tables of known options. */
export const knownServeOptions: OptionRules<ServeSkillsOverMcpOptions> = {
  prefix: 'string',
  profile: { strict: true, lenient: true },
  rewriteSkillMd: 'boolean',
  pageSize: 'number',
  ttlMs: 'number',
  cacheScope: { public: true, private: true },
  refreshMs: 'number',
  exposeTools: 'boolean',
  now: '()',
};

/**
 * Applies the defaults.
 *
 * @param of the function whose options they are
 * @throws {SkillError} `invalid-options` for an invalid prefix, and for a number that is invalid or
 *   out of range
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
