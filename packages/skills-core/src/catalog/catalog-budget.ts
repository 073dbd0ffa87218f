import type { CatalogWriter } from './render-catalog.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';

/** Limits for the size of the catalog in a prompt. All limits apply. */
export interface CatalogBudget {
  /** The most tokens of the whole text, guidance included. @default no limit */
  readonly maxTokens?: number | undefined;
  /** The most characters (UTF-16 units) of the whole text, guidance included. @default no limit */
  readonly maxCharacters?: number | undefined;
  /** The most tokens of one skill's description. @default no limit */
  readonly maxEntryTokens?: number | undefined;
  /** The most characters of one skill's description. @default no limit */
  readonly maxEntryCharacters?: number | undefined;
  /**
   * How short, in characters, descriptions may become before some skills lose theirs entirely: a
   * few words tell a model more than none, but two words of each of a thousand skills tell it
   * nothing.
   * @default 40
   */
  readonly minEntryCharacters?: number | undefined;
  /**
   * Priority per skill, such as how often it was used; lower values are shortened and dropped
   * first. Read it once per conversation. It orders trusted skills, and separately untrusted
   * skills, which only get the budget that the trusted ones leave.
   * @default 0 for every skill: what comes last in the list is dropped first
   */
  readonly usage?: Readonly<Record<string, number>> | undefined;
  /** Counts the tokens of a text as the model's tokenizer would. @default an estimate */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A catalog within its budget, and what was cut. Names are in the order of the list. */
export interface BudgetedCatalog {
  readonly text: string;
  /** Tokens of the text. */
  readonly tokens: number;
  /** Skills whose description was shortened. */
  readonly shortened: readonly string[];
  /** Skills that are listed without a description. */
  readonly nameOnly: readonly string[];
  /** Skills that are not listed. They can still be loaded by name. */
  readonly dropped: readonly string[];
  /** `false` only if not even the text around an empty list fits. */
  readonly fits: boolean;
}

/** The default token budget of a catalog: about 4 % of a context of 200,000. */
export const defaultMaxCatalogTokens = 8_000;

/** @throws {SkillError} `invalid-options` for a limit that is not a positive number */
export function checkBudget(budget: CatalogBudget): void {
  for (const key of ['maxTokens', 'maxCharacters', 'maxEntryTokens', 'maxEntryCharacters', 'minEntryCharacters'] as const) {
    const limit = budget[key];
    if (limit === undefined || limit > 0) continue;
    throw new SkillError(
      'invalid-options',
      `The catalog's budget has ${key} ${limit}. Give a number above 0, or leave it out for no limit.`,
    );
  }
}

/** How often each skill was used; 0 if the budget has no finite number. */
export function usesOf({ usage = {} }: Pick<CatalogBudget, 'usage'>): (skill: { readonly name: string }) => number {
  return ({ name }) => {
    const count = Object.hasOwn(usage, name) ? usage[name] : 0;
    return typeof count === 'number' && Number.isFinite(count) ? count : 0;
  };
}

/** Decides what a catalog lists, if the budget alone does not decide it. */
export interface CatalogFitter {
  /** The catalog of these skills, within its budget. Pure. */
  fit(skills: readonly SkillMetadata[], budget: CatalogBudget, writer: CatalogWriter): FittedCatalog;
  /** What the host should know of its options, once the skills of a session are known. */
  diagnose(skills: readonly SkillMetadata[]): readonly SkillDiagnostic[];
}

/** A catalog within its budget, and what the operator should know of it. */
export interface FittedCatalog extends BudgetedCatalog {
  readonly diagnostics: readonly SkillDiagnostic[];
}
