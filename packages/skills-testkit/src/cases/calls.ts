import { SkillError, type SkillErrorCode, type SkillProvider } from '@repertoire/skills-core';
import { assert } from '../conformance/assert.ts';
import { outcomeOf } from '../conformance/outcome.ts';

/** A method of the contract, to call with these arguments. */
export interface ProviderCall {
  readonly method: 'listSkills' | 'getSkill' | 'readResource' | 'contentOf';
  call(signal?: AbortSignal): Promise<unknown>;
}

/**
 * The calls of the contract: list, skill, file, and content if the provider has it. By default of a
 * skill and a file of the everyday library.
 */
export function callsOf(provider: SkillProvider, name = 'invoice-check', path = 'references/policy.md'): ProviderCall[] {
  const options = (signal?: AbortSignal) => (signal === undefined ? undefined : { signal });
  const { contentOf } = provider;
  return [
    { method: 'listSkills', call: (signal) => provider.listSkills(options(signal)) },
    { method: 'getSkill', call: (signal) => provider.getSkill(name, options(signal)) },
    { method: 'readResource', call: (signal) => provider.readResource(name, path, options(signal)) },
    ...(contentOf === undefined
      ? []
      : [{ method: 'contentOf' as const, call: (signal?: AbortSignal) => contentOf.call(provider, name, options(signal)) }]),
  ];
}

/** Fails unless every call is rejected with one of these errors. `when` says of what source. */
export async function expectErrors(provider: SkillProvider, codes: readonly SkillErrorCode[], when: string): Promise<void> {
  for (const { method, call } of callsOf(provider)) {
    const outcome = await outcomeOf(call);
    const got = outcome.kind === 'resolved' ? 'an answer' : 'an error at the call';
    assert(outcome.kind === 'rejected', `${method} ${when}: expected a rejection, got ${got}.`);
    const { error } = outcome;
    assert(
      SkillError.isInstance(error) && codes.includes(error.code),
      `${method} ${when}: expected a SkillError of code ${codes.join(' or ')}, got ${String(error)}.`,
    );
  }
}
