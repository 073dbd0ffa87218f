import type { SkillProvider } from '@repertoire/skills-core';
import { abortable, wrapProvider } from '@repertoire/skills-core/provider';
import type { WrappedProvider } from '@repertoire/skills-core/internal';

/** A method of the contract that returns a promise; the others are forwarded. */
export type ScriptedMethod = 'listSkills' | 'getSkill' | 'readResource';

/** A recorded call. */
export interface ScriptedProviderCall {
  readonly method: ScriptedMethod;
  /** The arguments of the call, options last. */
  readonly arguments: readonly unknown[];
}

/** A provider that a test controls; see {@link scriptedSkillProvider}. */
export interface ScriptedSkillProvider extends SkillProvider {
  /** Every call so far, including those that failed, in order. */
  readonly calls: readonly ScriptedProviderCall[];
  /** Makes the next call of a method reject with `error`. Several calls queue up. */
  failNext(method: ScriptedMethod, error: unknown): void;
  /** Makes the next call wait for a promise. An abort ends the wait; a rejection fails the call. */
  delayNext(method: ScriptedMethod, until: Promise<unknown>): void;
}

/**
 * A test double around a real provider: it forwards every call, records it, and fails or delays
 * calls as the test says. It has the optional members of the wrapped provider. It uses no timers: a
 * delay is a promise that the test resolves.
 *
 * @example
 * ```ts
 * import { SkillError, SkillRegistry } from '@repertoire/skills-core';
 * import { scriptedSkillProvider } from '@repertoire/skills-testkit';
 *
 * const provider = scriptedSkillProvider(new SkillRegistry());
 * provider.failNext('listSkills', new SkillError('source-unavailable', 'The disk is away.'));
 * const first = await provider.listSkills().catch((error: unknown) => error); // the SkillError
 * const second = await provider.listSkills(); // no skills
 * export const answers = [first, second, provider.calls.length]; // 2 calls
 * ```
 */
export function scriptedSkillProvider(provider: SkillProvider): ScriptedSkillProvider {
  const calls: ScriptedProviderCall[] = [];
  const plans = new Map<ScriptedMethod, (() => Promise<unknown>)[]>();

  function plan(method: ScriptedMethod, step: () => Promise<unknown>): void {
    plans.set(method, [...(plans.get(method) ?? []), step]);
  }

  async function run<Answer>(
    method: ScriptedMethod,
    parameters: readonly unknown[],
    signal: AbortSignal | undefined,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    calls.push({ method, arguments: parameters });
    const step = plans.get(method)?.shift();
    if (step !== undefined) await abortable(step, signal);
    return call();
  }

  const methods: WrappedProvider = {
    listSkills: (...parameters) => run('listSkills', parameters, parameters[0]?.signal, () => provider.listSkills(...parameters)),
    getSkill: (...parameters) => run('getSkill', parameters, parameters[1]?.signal, () => provider.getSkill(...parameters)),
    readResource: (...parameters) => run('readResource', parameters, parameters[2]?.signal, () => provider.readResource(...parameters)),
  };

  return {
    ...wrapProvider(provider, {
      ...methods,
      ...(provider.contentOf !== undefined && { contentOf: async (...parameters) => await provider.contentOf?.(...parameters) }),
    }),
    ...(provider.write !== undefined && { write: provider.write.bind(provider) }),
    calls,
    failNext: (method, error) => plan(method, () => Promise.reject(error)),
    delayNext: (method, until) => {
      // The waiting call reports the rejection. Until then, it must not count as unhandled.
      until.catch(() => undefined);
      plan(method, () => until);
    },
  };
}
