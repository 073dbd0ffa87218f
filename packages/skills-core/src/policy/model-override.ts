import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import type { LoadedLook } from './held/look-at-loaded.ts';

/**
 * The model that the loaded skills ask for: that of the skill loaded last among those that name
 * one. `inherit` asks for none. A skill without that grant never chooses a model, nor does one that
 * changed.
 */
export function modelOverride(looks: readonly LoadedLook[]): string | undefined {
  const chosen = looks.findLast(
    (look) => look.status === 'held' && look.grants.has('model') && look.skill.model !== undefined && look.skill.model !== 'inherit',
  );
  return chosen?.skill?.model;
}

/** Reports a model that the host has not named. */
export function unknownModel(model: string): SkillDiagnostic {
  return {
    code: 'unknown-model',
    severity: 'warning',
    message: `A loaded skill asks for the model ${JSON.stringify(model)}, which is not in \`models\`. The agent's own model is used.`,
    fix: 'Add it to the option `models` of the adapter.',
  };
}
