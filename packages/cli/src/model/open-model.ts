import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import type { CommandIo } from '../commands/command.ts';
import { importOptional, isMissing } from '../optional/import-optional.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

/** A model, and how people name it. */
export interface OpenedModel {
  readonly id: string;
  readonly model: LanguageModel;
}

/** Providers whose key is not named after them. */
const keyNames: Readonly<Record<string, string>> = { google: 'GOOGLE_GENERATIVE_AI_API_KEY', togetherai: 'TOGETHER_API_KEY' };
const gatewayKey = 'AI_GATEWAY_API_KEY';
const moduleFile = /\.[cm]?[jt]s$/;

/**
 * Opens `anthropic/claude-…` by the provider's package and key, else by the AI gateway, or
 * `./model.mjs` by its export `model`.
 *
 * @param given the value of an option, else `REPERTOIRE_MODEL`
 * @throws {SkillError} `invalid-options` that says what to set or to install
 */
export async function openModel(given: string | undefined, { env, cwd }: Pick<CommandIo, 'env' | 'cwd'>): Promise<OpenedModel> {
  const id = given ?? filled(env['REPERTOIRE_MODEL']);
  if (id === undefined) throw wrongUsage('No model is named. Give --model, such as anthropic/claude-sonnet-4-5, or set REPERTOIRE_MODEL.');
  if (moduleFile.test(id)) return { id, model: await modelOfModule(id, cwd) };
  const slash = id.indexOf('/');
  if (slash < 1 || slash === id.length - 1 || !/^[a-z0-9-]{1,40}$/.test(id.slice(0, slash)))
    throw wrongUsage(`The model ${JSON.stringify(id)} has no provider. Write it like openai/gpt-5, or give a module: ./model.mjs.`);
  const [provider, name] = [id.slice(0, slash), id.slice(slash + 1)];
  const packageName = `@ai-sdk/${provider}`;
  const key = keyNames[provider] ?? `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
  const apiKey = filled(env[key]);
  const installed = locate(packageName, cwd);
  if (apiKey !== undefined && installed !== null) {
    const baseURL = filled(env[`${provider.toUpperCase().replaceAll('-', '_')}_BASE_URL`]);
    return { id, model: await modelOfProvider(installed, packageName, name, { apiKey, ...(baseURL !== undefined && { baseURL }) }) };
  }
  const forGateway = filled(env[gatewayKey]);
  if (forGateway !== undefined) {
    const { createGateway } = await importOptional('ai', 'The AI gateway needs', () => import('ai'));
    return { id, model: createGateway({ apiKey: forGateway })(id) };
  }
  const toInstall = installed === null ? ` and run: npm install --save-dev ${packageName}` : '';
  throw wrongUsage(`There is no key for the model ${id}. Set ${key}${toInstall}; or set ${gatewayKey}, which reaches every provider.`);
}

/** The export `model` of a module: a model, or a function that makes one. */
async function modelOfModule(id: string, cwd: string): Promise<LanguageModel> {
  const file = path.resolve(cwd, id);
  if (!existsSync(file))
    throw wrongUsage(`There is no module ${id}. Give one that exports model, a model of the AI SDK.`, {
      path: file,
    });
  const { model: exported } = (await import(pathToFileURL(file).href)) as { readonly model?: unknown };
  const model: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported;
  if (typeof model === 'object' && model !== null && 'specificationVersion' in model) return model as LanguageModel;
  throw wrongUsage(`${id} exports no model: a model of the AI SDK, or a function that makes one, as its export "model".`, {
    path: file,
  });
}

async function modelOfProvider(
  file: string,
  packageName: string,
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<LanguageModel> {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  // `createAnthropic`, `createOpenAI`, `createGoogleGenerativeAI`: each package has one.
  const found = Object.entries(module).find(([exported, value]) => /^create[A-Z]/.test(exported) && typeof value === 'function');
  if (found === undefined) throw wrongUsage(`${packageName} exports nothing that makes a provider. Give a module: --model ./model.mjs.`);
  const provider = (found[1] as (settings: Readonly<Record<string, string>>) => (name: string) => LanguageModel)(settings);
  return provider(name);
}

/** Where a package is, from the project, else from this command; `null` if not installed. */
function locate(packageName: string, cwd: string): string | null {
  for (const from of [path.join(cwd, 'package.json'), import.meta.filename]) {
    try {
      return createRequire(from).resolve(packageName);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
