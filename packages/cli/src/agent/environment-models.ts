import type { AgentLlm, AgentModels } from '@repertoire/declarative';
import type { CommandIo } from '../commands/command.ts';
import { missingPackages } from './open-declarative.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** Derived from what takes a model, so that LangChain is no dependency of the types. */
type AgentModel =
  Extract<AgentModels, (llm: AgentLlm) => unknown> extends (llm: AgentLlm) => infer Result ? NonNullable<Awaited<Result>> : never;

interface ModelRoute {
  /** `provider` of an entry of `llms`. */
  readonly provider: string;
  readonly key: string;
  readonly address: string;
  readonly package: string;
  open(model: string, apiKey: string, baseUrl: string | undefined): Promise<AgentModel>;
}

/** In the order in which their keys are looked for where an agent's file names no provider. */
const routes: readonly ModelRoute[] = [
  {
    provider: 'openai',
    key: 'OPENAI_API_KEY',
    address: 'OPENAI_BASE_URL',
    package: '@langchain/openai',
    open: async (model, apiKey, baseURL) =>
      new (await import('@langchain/openai')).ChatOpenAI({ model, apiKey, configuration: { baseURL } }),
  },
  {
    provider: 'anthropic',
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    package: '@langchain/anthropic',
    open: async (model, apiKey, baseUrl) =>
      new (await import('@langchain/anthropic')).ChatAnthropic({
        model,
        apiKey,
        ...(baseUrl !== undefined && { anthropicApiUrl: baseUrl }),
      }),
  },
];

/**
 * Models for an agent without a host module: by `provider` and `model_name` of its file, with the
 * keys of the environment.
 *
 * The function throws a `SkillError` with the code `invalid-options` that says what is missing: the
 * name of the model, its key, or its package.
 */
export function environmentModels(env: CommandIo['env']): (llm: AgentLlm) => Promise<AgentModel> {
  return async (llm) => {
    const { id, provider, modelName } = llm;
    const name = JSON.stringify(id);
    if (modelName === undefined) {
      throw wrongUsage(`The model ${name} has no model_name. Write one into the file, or give the model with --host <file>.`);
    }
    const possible = provider === undefined ? routes : routes.filter((route) => route.provider === provider);
    if (possible.length === 0) {
      const known = routes.map((route) => route.provider).join(', ');
      throw wrongUsage(
        `The model ${name} has the provider ${JSON.stringify(provider)}. Without a host, there are ${known}. Give the model with --host <file>.`,
      );
    }
    for (const route of possible) {
      const key = env[route.key] ?? '';
      if (key === '') continue;
      const address = env[route.address] ?? '';
      try {
        return await route.open(modelName, key, address === '' ? undefined : address);
      } catch (cause) {
        throw missingPackages(cause, `The model ${name}`, route.package);
      }
    }
    const keys = possible.map((route) => route.key).join(' or ');
    throw wrongUsage(`The model ${name} needs an API key, and there is none. Set ${keys}, or give the model with --host <file>.`);
  };
}
