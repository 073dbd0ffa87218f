import type { LintBudgets } from '../lint/lint-rule.ts';

/**
 * What a project says once for every command: `repertoire.config.json`, or a module that `--config`
 * names.
 *
 * @example
 * ```ts
 * import type { RepertoireConfig } from '@repertoire/cli';
 *
 * export default {
 *   sources: ['skills'],
 *   rules: { 'description-when': 'error', 'body-length': 'off' },
 *   ignores: [{ files: ['skills/legacy/**'], rules: ['dead-link'] }],
 * } satisfies RepertoireConfig;
 * ```
 */
export interface RepertoireConfig {
  /** Sources of commands that are given none. @default the places where agents keep skills */
  readonly sources?: readonly string[] | undefined;
  /** Names of the tools that your agent has, as `--tools`. @default nothing is known of tools */
  readonly tools?: readonly string[] | undefined;
  /** Severity of each rule. Rules of style are `off` by default. @default as the rule says */
  readonly rules?: Readonly<Record<string, 'off' | 'warning' | 'error'>> | undefined;
  /** Rules that do not apply to files, by globs from the working directory. @default none */
  readonly ignores?: readonly { readonly files: readonly string[]; readonly rules?: readonly string[] | undefined }[] | undefined;
  /** Globs of files that need not be mentioned. @default `README`, `LICENSE`, tests and the like */
  readonly forPeople?: readonly string[] | undefined;
  /** How many warnings pass. @default 0 */
  readonly maxWarnings?: number | undefined;
  /** The most that a skill should have. */
  readonly budgets?: LintBudgets | undefined;
}
