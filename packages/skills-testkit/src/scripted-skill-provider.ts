import type { SkillProvider } from '@repertoire/skills-core';
import { abortable, wrapProvider, type WrappedProvider } from '@repertoire/skills-core/provider';

/** A method of the contract that answers by a promise; `watch`, `gatedTools` and disposal are passed through. */
export type ScriptedMethod = 'listSkills' | 'getSkill' | 'readResource';

/** One call, in the order in which they came. */
export interface ScriptedProviderCall {
  readonly method: ScriptedMethod;
  /** Arguments as they were given, options last. */
  readonly arguments: readonly unknown[];
}

/** A provider that does what a test tells it to; see {@link scriptedSkillProvider}. */
export interface ScriptedSkillProvider extends SkillProvider {
  /** Every call so far, also those that failed. */
  readonly calls: readonly ScriptedProviderCall[];
  /** Makes the next call of a method reject with `error`; asked several times, the next calls in turn. */
  failNext(method: ScriptedMethod, error: unknown): void;
  /**
   * Makes the next call of a method wait for a promise before it is passed on. An abort ends the wait, and the promise's rejection fails
   * the call.
   */
  delayNext(method: ScriptedMethod, until: Promise<unknown>): void;
}

/**
 * A test double around a real provider: passes every call on, records it, and fails or delays the ones that the test says. It has the
 * optional abilities of the provider that it stands around. No timers: a delay is a promise that the test resolves.
 *
 * @example
 * ```ts
 * import { inCodeSkillProvider, SkillError } from '@repertoire/skills-core';
 * import { scriptedSkillProvider } from '@repertoire/skills-testkit';
 *
 * const provider = scriptedSkillProvider(inCodeSkillProvider([]));
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
    ...wrapProvider(provider, methods),
    calls,
    failNext: (method, error) => plan(method, () => Promise.reject(error)),
    delayNext: (method, until) => {
      // The call that waits for it reports its rejection; until then it is nobody's.
      until.catch(() => undefined);
      plan(method, () => until);
    },
  };
}
