import { SkillError } from '../../errors/skill-error.ts';

/** What {@link numberOption} allows. */
export interface NumberOptionRules {
  /** The function whose option it is, such as `sqliteSkillProvider`. */
  readonly of: string;
  /** The default value. It is not checked. */
  readonly fallback: number;
  /** The smallest number that is allowed. */
  readonly least: number;
  /** The largest number allowed. @default Infinity, which is allowed itself */
  readonly most?: number | undefined;
  /** Whether it has to be a whole number, which Infinity is not. @default false */
  readonly whole?: boolean | undefined;
}

/**
 * The value of a numeric option, or its default. Every source checks its options with it before it
 * does anything else, so that a wrong one is told at once and in the same words.
 *
 * @param name the option as the host wrote it, such as `limits.files`
 * @throws {SkillError} `invalid-options` for what is no number, or out of range: names the option,
 *   the function, the value, and what to give
 */
export function numberOption(name: string, value: number | undefined, rules: NumberOptionRules): number {
  const { of, fallback, least, most = Number.POSITIVE_INFINITY, whole = false } = rules;
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new SkillError(
    'invalid-options',
    `Option "${name}" of ${of} is ${typeof value === 'string' ? JSON.stringify(value) : String(value)}. Give a ${whole ? 'whole ' : ''}number ${range}.`,
  );
}
