import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import type { LoadedLook } from './in-force.ts';

/**
 * The model that the loaded skills ask for: that of the skill loaded last among those that name
 * one. `inherit` asks for none. A skill without that grant never chooses a model, nor does one that
 * changed.
 */
export function modelOverride(looks: readonly LoadedLook[]): string | undefined {
  const chosen = looks.findLast(
    (look) => look.inForce && look.grants.has('model') && look.skill.model !== undefined && look.skill.model !== 'inherit',
  );
  return chosen?.skill?.model;
}

/** Models by the name that skills use. A function may know more models than a list. */
export type NamedModels<Model> = Readonly<Record<string, Model>> | ((name: string) => Model | undefined);

/** The model of that name; `undefined` if no name is asked for or no model has it. */
export function modelNamed<Model>(models: NamedModels<Model> | undefined, name: string | undefined): Model | undefined {
  if (models === undefined || name === undefined) return undefined;
  if (typeof models === 'function') return models(name);
  return Object.hasOwn(models, name) ? models[name] : undefined;
}

/** Returns the model of that name, and reports a model that the host has not named. */
export function modelAskedFor<Model>(
  models: NamedModels<Model> | undefined,
  name: string | undefined,
  report: (diagnostic: SkillDiagnostic) => void,
): Model | undefined {
  const model = modelNamed(models, name);
  if (name !== undefined && model === undefined) report(unknownModel(name));
  return model;
}

function unknownModel(model: string): SkillDiagnostic {
  return {
    code: 'unknown-model',
    severity: 'warning',
    message: `A loaded skill asks for the model ${JSON.stringify(model)}, which is not in \`models\`. The agent's own model is used.`,
    fix: 'Add it to the option `models` of the adapter.',
  };
}
