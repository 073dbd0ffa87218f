import type { LanguageModel } from 'ai';

/** Models by the name that skills use. A function may know more models than a list. */
export type AiSdkModels = Readonly<Record<string, LanguageModel>> | ((name: string) => LanguageModel | undefined);

/** The model of that name; `undefined` if no name is asked for or no model has it. */
export function modelNamed(models: AiSdkModels | undefined, name: string | undefined): LanguageModel | undefined {
  if (models === undefined || name === undefined) return undefined;
  if (typeof models === 'function') return models(name);
  return Object.hasOwn(models, name) ? models[name] : undefined;
}
