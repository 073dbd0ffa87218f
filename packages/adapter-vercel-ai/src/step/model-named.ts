import type { LanguageModel } from 'ai';

/** Models by the names that skills have for them. A function may know more of them than it lists. */
export type AiSdkModels = Readonly<Record<string, LanguageModel>> | ((name: string) => LanguageModel | undefined);

/** The model of that name; `undefined` where none is asked for, or none has it. */
export function modelNamed(models: AiSdkModels | undefined, name: string | undefined): LanguageModel | undefined {
  if (models === undefined || name === undefined) return undefined;
  if (typeof models === 'function') return models(name);
  return Object.hasOwn(models, name) ? models[name] : undefined;
}
