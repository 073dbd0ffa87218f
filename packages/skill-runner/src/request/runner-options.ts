import { numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import { checkEnvironment, type RunLimits } from './check-request.ts';

/** Options of every runner. Limits of a request can only be lower than these. */
export interface RunnerOptions {
  /** Name of the runner for people. @default 'process', 'just-bash' or 'quickjs' */
  readonly label?: string | undefined;
  /** Environment variables of every run; nothing else is passed on. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds for a run. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Bytes of output for a run. @default 1048576 */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes of standard input. @default 16777216 */
  readonly maxStdinBytes?: number | undefined;
  /**
   * Bytes of the skill's files and the inputs together. @default 33554432, or 67108864 for
   * processes
   */
  readonly maxCopyBytes?: number | undefined;
}

/** The same, checked and with their defaults. */
export interface RunnerSettings {
  readonly label: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: RunLimits;
}

export const runnerRules: OptionRules<RunnerOptions> = {
  label: 'string',
  env: '{}',
  timeoutMs: 'number',
  maxOutputBytes: 'number',
  maxStdinBytes: 'number',
  maxCopyBytes: 'number',
};

/** A timer that is longer fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** @throws {SkillError} `invalid-options` */
export function runnerSettings(
  of: string,
  options: RunnerOptions,
  defaults: { readonly label: string; readonly maxCopyBytes: number },
): RunnerSettings {
  return {
    label: options.label ?? defaults.label,
    env: checkEnvironment(options.env ?? {}, of),
    limits: {
      timeoutMs: wholeOption(of, options, 'timeoutMs', 30_000, { most: longestTimerMs }),
      maxOutputBytes: wholeOption(of, options, 'maxOutputBytes', 1_048_576),
      maxStdinBytes: wholeOption(of, options, 'maxStdinBytes', 16_777_216),
      maxCopyBytes: wholeOption(of, options, 'maxCopyBytes', defaults.maxCopyBytes),
    },
  };
}

/** Reads an option that is a whole number. @throws {SkillError} `invalid-options` */
export function wholeOption<Name extends string>(
  of: string,
  options: { readonly [Key in Name]?: number | undefined },
  name: Name,
  fallback: number,
  { least = 1, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): number {
  return numberOption(name, options[name], { of, fallback, least, most, whole: true });
}
