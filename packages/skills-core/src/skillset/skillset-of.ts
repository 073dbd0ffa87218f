import type { SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { createSkillset, type Skillset } from './create-skillset.ts';
import type { ContextArguments, OpenRequest } from './open-request.ts';
import type { SkillSession } from './skill-session.ts';

/**
 * Returns a skillset as it is, or one of a bare provider with every option at its default: adapters
 * take either.
 *
 * @param taker the function that takes it, as users call it
 * @throws {SkillError} `invalid-options` if it is neither
 * @example
 * ```ts
 * import type { SkillProvider, Skillset } from '@repertoire/skills-core';
 * import { skillsetOf } from '@repertoire/skills-core/adapter';
 *
 * export const myAdapter = (source: Skillset | SkillProvider) => skillsetOf('myAdapter', source).open();
 * ```
 */
export function skillsetOf<Context>(taker: string, source: Skillset<Context> | SkillProvider): Skillset<Context> {
  if (typeof source === 'object' && source !== null) {
    if ('open' in source && typeof source.open === 'function') return source;
    if ('listSkills' in source) return createSkillset<Context>({ provider: source });
  }
  throw new SkillError('invalid-options', `${taker} takes a skillset (createSkillset) or a provider as its first argument.`);
}

/** Opens a session where `Context` is a type parameter. */
export function openSkillset<Context>(skillset: Skillset<Context>, request: OpenRequest<Context>): Promise<SkillSession> {
  return skillset.open(...([request] as unknown as ContextArguments<Context, OpenRequest<Context>>));
}
