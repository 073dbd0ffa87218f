import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { VerifySkillIndex } from '@repertoire/skills-core/provider';
import { openStore, type OpenStore } from '../store/open-store.ts';
import type { SkillStore } from '../store/skill-store.ts';

/** Limits of {@link StorageSkillProviderOptions.limits}. Each is a whole number of at least 1. */
export interface StorageSkillLimits {
  /** Maximum bytes of a release, which contains level 1 of every skill. @default 16_777_216 */
  readonly releaseBytes: number;
  /** Maximum skills of a release. The rest is left out (`release-truncated`). @default 20_000 */
  readonly skills: number;
  /**
   * Maximum bytes of level 2 of a skill: its body and list of files. A larger one rejects with
   * `limit-exceeded`.
   * @default 16_777_216
   */
  readonly skillBytes: number;
  /**
   * Maximum bytes of a resource that is read without `maxBytes`. A larger one rejects with
   * `limit-exceeded`.
   * @default 67_108_864
   */
  readonly resourceBytes: number;
  /** Maximum bytes of a search index, then `limit-exceeded`. @default 67_108_864 */
  readonly searchIndexBytes: number;
  /** Bytes of level 2 that are cached in memory. @default 8_388_608 */
  readonly memoryBytes: number;
}

/** Options of {@link storageSkillProvider}. */
export interface StorageSkillProviderOptions {
  /** The store with the skills, such as `r2SkillStore(env.SKILLS)`. */
  readonly store: SkillStore;
  /** Label of the source. @default 'storage' */
  readonly label?: string | undefined;
  /**
   * Whether the host trusts what is stored. Whoever can write to a trusted store grants tools to
   * your agent.
   * @default false
   */
  readonly trusted?: boolean | undefined;
  /** Prefix of the keys, as in publishing: `team/skills`. @default '' */
  readonly prefix?: string | undefined;
  /**
   * Milliseconds for which the current release is used without checking for a newer one. `0` checks
   * at each call.
   * @default 10_000
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * Verifies the signature of a release before it is used, such as `indexVerifier` of
   * `@repertoire/skill-trust`. A rejected release is not served; the previous one is served while
   * its own signature is valid.
   * @default releases need no signature
   */
  readonly verifyIndex?: VerifySkillIndex | undefined;
  /** Limits; each has its own default. */
  readonly limits?: Partial<StorageSkillLimits> | undefined;
  /** The clock, in milliseconds; for tests. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface StorageSettings {
  readonly store: OpenStore;
  readonly label: string;
  readonly trusted: boolean;
  readonly staleAfterMs: number;
  readonly verifyIndex: VerifySkillIndex | undefined;
  readonly limits: StorageSkillLimits;
  readonly now: () => number;
}

const of = 'storageSkillProvider';
/** The default limits, which publishers check too. */
export const defaultLimits: StorageSkillLimits = {
  releaseBytes: 16_777_216,
  skills: 20_000,
  skillBytes: 16_777_216,
  resourceBytes: 67_108_864,
  searchIndexBytes: 67_108_864,
  memoryBytes: 8_388_608,
};

const knownLimits: OptionRules<StorageSkillLimits> = {
  releaseBytes: 'number',
  skills: 'number',
  skillBytes: 'number',
  resourceBytes: 'number',
  searchIndexBytes: 'number',
  memoryBytes: 'number',
};
export const storageOptionRules: OptionRules<StorageSkillProviderOptions> = {
  store: '{}',
  label: 'string',
  trusted: 'boolean',
  prefix: 'string',
  staleAfterMs: 'number',
  verifyIndex: '()',
  limits: { '{}': knownLimits },
  now: '()',
};

/** Fills in the defaults. @throws {SkillError} `invalid-options` */
export function storageSettings(options: StorageSkillProviderOptions): StorageSettings {
  assertKnownOptions(of, options, storageOptionRules);
  const { limits = {} } = options;
  return {
    store: openStore(of, options.store, options.prefix),
    label: options.label ?? 'storage',
    trusted: options.trusted ?? false,
    staleAfterMs: numberOption('staleAfterMs', options.staleAfterMs, { of, fallback: 10_000, least: 0 }),
    verifyIndex: options.verifyIndex,
    limits: Object.fromEntries(
      Object.entries(defaultLimits).map(([limit, fallback]) => [
        limit,
        numberOption(`limits.${limit}`, limits[limit as keyof StorageSkillLimits], { of, fallback, least: 1 }),
      ]),
    ) as unknown as StorageSkillLimits,
    now: options.now ?? Date.now,
  };
}
