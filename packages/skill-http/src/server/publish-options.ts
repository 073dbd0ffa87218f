import { SkillError, type SkillMetadata } from '@repertoire/skills-core';
import { numberOption, withoutTrailing, type OptionRules } from '@repertoire/skills-core/internal';
import type { SignSkillIndex } from '@repertoire/skills-core/provider';

/** Bounds of what is published. Each is a whole number of at least 1. */
export interface PublishLimits {
  /** Files of a skill, `SKILL.md` among them. @default 1_000, which is what clients take */
  readonly files: number;
  /** Bytes of a skill, all files together. @default 16_777_216 */
  readonly skillBytes: number;
  /** Bytes of all skills together: they are held in memory. @default 268_435_456 */
  readonly totalBytes: number;
}

/** What is published, and where. */
export interface PublishOptions {
  /** The path that everything lies below, such as `/docs`. @default '' */
  readonly basePath?: string | undefined;
  /** Which skills are published; others are not served by any path. @default all */
  readonly select?: ((skill: SkillMetadata) => boolean) | undefined;
  /** Whether the layout 0.1.0 (`/.well-known/skills`) is published as well. @default true */
  readonly legacy?: boolean | undefined;
  /**
   * Whether to publish a `SKILL.md` that is written anew from what the provider serves, instead of
   * the author's own bytes. It is needed where the provider serves skills under other names than
   * their files say, as a composition does that prefixes them.
   * @default false
   */
  readonly rewriteSkillMd?: boolean | undefined;
  /**
   * Signs the discovery index 0.2.0, such as `indexSigner` of `@repertoire/skill-trust`, for
   * readers with `verifyIndex`. A signature expires, so export again before that also where nothing
   * changed; a handler renews it.
   * @default nothing is signed
   */
  readonly signIndex?: SignSkillIndex | undefined;
  /**
   * Whether each skill is published with a skill card as well:
   * `/.well-known/agent-skills/<name>/skill-card.json`, with its files beside it, for readers of
   * cards. A card that a skill has is published as it is, if it is for this skill and its files lie
   * beside it; every other skill gets one.
   * @default false
   */
  readonly cards?: boolean | undefined;
  /**
   * Whether archives are compressed when they are made, for files that a page host sends as they
   * are. It takes far longer than reading the skills. A handler does not need it, because it
   * compresses while it sends.
   * @default false for a handler, true for `exportStatic`
   */
  readonly compress?: boolean | undefined;
  /** Bounds, each with a default of its own. What is beyond them is left out and reported. */
  readonly limits?: Partial<PublishLimits> | undefined;
}

/** The options with every default filled in. */
export interface PublishSettings {
  /** Without a trailing slash. */
  readonly basePath: string;
  readonly select: (skill: SkillMetadata) => boolean;
  readonly legacy: boolean;
  readonly rewriteSkillMd: boolean;
  readonly signIndex: SignSkillIndex | undefined;
  readonly cards: boolean;
  readonly compress: boolean;
  readonly limits: PublishLimits;
}

const knownLimits: OptionRules<PublishLimits> = {
  files: 'number',
  skillBytes: 'number',
  totalBytes: 'number',
};
/** The options that all publishing functions share, for their tables of options. */
export const knownPublishOptions: OptionRules<PublishOptions> = {
  basePath: 'string',
  select: '()',
  legacy: 'boolean',
  rewriteSkillMd: 'boolean',
  signIndex: '()',
  cards: 'boolean',
  compress: 'boolean',
  limits: { '{}': knownLimits },
};
const defaultLimits: PublishLimits = { files: 1_000, skillBytes: 16_777_216, totalBytes: 268_435_456 };

/**
 * Fills in the defaults.
 *
 * @param of the function whose options they are
 * @param compressed whether archives are compressed if the options do not say
 * @throws {SkillError} `invalid-options` for an invalid path, and for a number that is invalid or
 *   out of range
 */
export function publishSettings(options: PublishOptions, of: string, compressed: boolean): PublishSettings {
  const { basePath = '', select = () => true, legacy = true, rewriteSkillMd = false, compress = compressed, limits = {} } = options;
  const base = withoutTrailing(basePath, '/');
  if (base !== '' && (!base.startsWith('/') || /[?#\\]|\/\.{1,2}(?:\/|$)|\/\//.test(base)))
    throw new SkillError('invalid-options', `Option "basePath" of ${of} is ${JSON.stringify(basePath)}. Give a path such as "/docs".`);
  const limit = (key: keyof PublishLimits): number =>
    numberOption(`limits.${key}`, limits[key], { of, fallback: defaultLimits[key], least: 1 });
  return {
    basePath: base,
    select,
    legacy,
    rewriteSkillMd,
    signIndex: options.signIndex,
    cards: options.cards ?? false,
    compress,
    limits: { files: limit('files'), skillBytes: limit('skillBytes'), totalBytes: limit('totalBytes') },
  };
}
