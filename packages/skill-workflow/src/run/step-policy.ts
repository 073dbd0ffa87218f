import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';

/** How often a call is tried, and how long it may take. */
export interface StepPolicy {
  /** Attempts in all. A tool that must act once needs an idempotency key, or 1. @default 1 */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt; doubled before each further one. @default 1_000 */
  readonly retryDelayMs?: number | undefined;
  /** Milliseconds that one attempt may take. @default no limit */
  readonly timeoutMs?: number | undefined;
}

/** Which call a policy is asked for. */
export interface StepPolicyRequest {
  readonly step: string;
  /** Name of the tool; `undefined` for a prompt. */
  readonly tool: string | undefined;
}

/** One policy for every call, or one for each. */
export type StepPolicies = StepPolicy | ((request: StepPolicyRequest) => StepPolicy);

/** A policy in which nothing is left open. */
export type CompleteStepPolicy = { readonly [Rule in keyof StepPolicy]-?: number };

const knownKeys: OptionRules<StepPolicy> = {
  attempts: true,
  retryDelayMs: true,
  timeoutMs: true,
};

/** A timer that is longer than 31 bits of milliseconds (24 days) fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/**
 * The policy of one call, with defaults. A file chooses how often its calls are tried, and can
 * shorten the host's time limit, not lengthen it.
 *
 * @param own what the step says
 * @throws {SkillError} `invalid-options` for an unknown key, and for a number that is out of range
 */
export function stepPolicyOf(policies: StepPolicies | undefined, request: StepPolicyRequest, own: StepPolicy = {}): CompleteStepPolicy {
  const policy = typeof policies === 'function' ? policies(request) : (policies ?? {});
  const of = 'runWorkflow';
  if (typeof policy !== 'object' || policy === null)
    throw new SkillError(
      'invalid-options',
      `Option "policy" of ${of} gives ${String(policy)} for the step "${request.step}". Give an object such as { attempts: 3 }.`,
    );
  assertKnownOptions(`The policy of ${of}`, policy, knownKeys);
  const host = {
    attempts: numberOption('policy.attempts', policy.attempts, { of, fallback: 1, least: 1, most: 100, whole: true }),
    retryDelayMs: numberOption('policy.retryDelayMs', policy.retryDelayMs, { of, fallback: 1000, least: 0, most: longestTimerMs }),
    timeoutMs: numberOption('policy.timeoutMs', policy.timeoutMs, {
      of,
      fallback: Number.POSITIVE_INFINITY,
      least: 1,
      most: longestTimerMs,
    }),
  };
  return {
    attempts: own.attempts ?? host.attempts,
    retryDelayMs: own.retryDelayMs ?? host.retryDelayMs,
    timeoutMs: Math.min(own.timeoutMs ?? Number.POSITIVE_INFINITY, host.timeoutMs),
  };
}
