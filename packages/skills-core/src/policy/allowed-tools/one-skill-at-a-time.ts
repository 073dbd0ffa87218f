import type { SkillActivation } from '../../state/skill-state.ts';
import { skillAllowedTools, type SkillAllowedTools, type SkillAllowedToolsOptions } from './skill-allowed-tools.ts';

/** Two options of `createSkillset`: what {@link oneSkillAtATime} returns. */
export interface OneSkillAtATime {
  readonly allowedTools: SkillAllowedTools;
  readonly conversation: { readonly activation: Extract<SkillActivation, 'single'> };
}

/**
 * Keeps one skill active, and only the tools in its `allowed-tools` may be called; a load of
 * another skill ends it, with its tools and its model. Short for
 * `conversation: { activation: 'single' }` and
 * `allowedTools: skillAllowedTools({ policy: 'restrict' })`; further options of `conversation` are
 * written beside them.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist
 * @example
 * ```ts
 * import { createSkillset, oneSkillAtATime, type SkillProvider } from '@repertoire/skills-core';
 *
 * export const focused = (provider: SkillProvider) => createSkillset({ provider, ...oneSkillAtATime() });
 * ```
 */
export function oneSkillAtATime(options: Omit<SkillAllowedToolsOptions, 'policy' | 'never'> = {}): OneSkillAtATime {
  return { allowedTools: skillAllowedTools({ ...options, policy: 'restrict' }), conversation: { activation: 'single' } };
}
