import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { SkillState } from '../state/skill-state.ts';
import { loadedInListing } from './loaded-in-listing.ts';

/**
 * The model that the loaded skills ask for: that of the skill loaded last among those that name one. `inherit` asks for none. An untrusted
 * skill never chooses a model.
 */
export function modelOverride(listed: readonly SkillMetadata[], state: SkillState): string | undefined {
  return loadedInListing(listed, state).found.findLast(
    (skill) => isTrusted(skill) && skill.model !== undefined && skill.model !== 'inherit',
  )?.model;
}

/**
 * What is reported if a skill asks for a model that the host has not named.
 *
 * @example
 * ```ts
 * import type { Skillset } from '@repertoire/skills-core';
 * import { unknownModel } from '@repertoire/skills-core/adapter';
 *
 * export const reportModel = (skillset: Skillset, name: string): void => skillset.report(unknownModel(name));
 * ```
 */
export function unknownModel(model: string): SkillDiagnostic {
  return {
    code: 'unknown-model',
    severity: 'warning',
    message: `A loaded skill asks for the model ${JSON.stringify(model)}, which is not in \`models\`. The agent's own model is used.`,
    fix: 'Add it to the option `models` of the adapter.',
  };
}
