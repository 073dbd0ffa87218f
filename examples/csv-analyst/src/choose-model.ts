import type { LanguageModel } from 'ai';
import { standInModel } from './stand-in-model.ts';

/** The model that the example runs on. */
export interface ChosenModel {
  readonly model: LanguageModel;
  /** Its name on screen. */
  readonly name: string;
  /** Whether it is the stand-in, which needs no network. */
  readonly offline: boolean;
}

/**
 * Models by the key that they need, in order of preference. Providers are imported only when they
 * are used.
 */
const routes: readonly {
  readonly key: string;
  readonly via: string;
  readonly model: string;
  readonly open: (id: string) => Promise<LanguageModel>;
}[] = [
  {
    key: 'AI_GATEWAY_API_KEY',
    via: 'Vercel AI Gateway',
    model: 'anthropic/claude-sonnet-5.5',
    open: async (id) => (await import('ai')).gateway(id),
  },
  {
    key: 'OPENAI_API_KEY',
    via: 'OpenAI',
    model: 'gpt-5.5',
    open: async (id) => (await import('@ai-sdk/openai')).openai(id),
  },
  {
    key: 'ANTHROPIC_API_KEY',
    via: 'Anthropic',
    model: 'claude-sonnet-5-5',
    open: async (id) => (await import('@ai-sdk/anthropic')).anthropic(id),
  },
];

/** Names of the environment variables that select a real model. */
export const keyNames: readonly string[] = routes.map(({ key }) => key);

/**
 * A real model if the environment has a key for one, otherwise the stand-in. `REPERTOIRE_MODEL`
 * names another model of that provider.
 */
export async function chooseModel(
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly offline: boolean },
): Promise<ChosenModel> {
  const route = options.offline ? undefined : routes.find(({ key }) => (environment[key] ?? '') !== '');
  if (route === undefined) return { model: standInModel(), name: 'stand-in', offline: true };
  const id = environment['REPERTOIRE_MODEL'] || route.model;
  return { model: await route.open(id), name: `${id} (${route.via})`, offline: false };
}
