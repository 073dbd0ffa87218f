import { SkillError, type SkillProvider, createSkillset, type Skillset } from '@repertoire/skills-core';

/** How a model gets its skills. `core` is the session itself, which needs no framework. */
export type Framework = 'core' | 'ai-sdk' | 'langchain' | 'openai-agents';

/** Every setting that changes what a model gets. */
export interface PromptSettings {
  readonly framework: Framework;
  /** The system prompt before the catalog. */
  readonly instructions: string;
  /** The most tokens of the catalog. */
  readonly maxTokens: number;
  readonly format: 'xml' | 'markdown' | 'json';
  readonly mode: 'system-prompt' | 'tool-only' | 'both' | 'auto';
  /** The model that the mode `auto` is resolved for, such as `openai/gpt-5`; empty for none. */
  readonly model: string;
  readonly surface: 'progressive' | 'full';
  /** What a model sees of closed tools. */
  readonly gate: 'refuse' | 'hide';
  /** Tools of the host that are closed until a skill opens them, with commas between them. */
  readonly gatedTools: string;
  /** Instructions are repeated after so many tokens; 0 for never. */
  readonly refreshAfter: number;
}

export const defaultSettings: PromptSettings = {
  framework: 'core',
  instructions: 'You are a helpful assistant.',
  maxTokens: 8000,
  format: 'xml',
  mode: 'system-prompt',
  model: '',
  surface: 'progressive',
  gate: 'refuse',
  gatedTools: '',
  refreshAfter: 0,
};

/** The values that each setting can have, where there are few. */
export const settingChoices = {
  framework: ['core', 'ai-sdk', 'langchain', 'openai-agents'],
  format: ['xml', 'markdown', 'json'],
  mode: ['system-prompt', 'tool-only', 'both', 'auto'],
  surface: ['progressive', 'full'],
  gate: ['refuse', 'hide'],
} as const;

const maxCharacters = 20_000;

/**
 * Settings from an address or a request: what is missing is as by default.
 *
 * @throws {SkillError} `invalid-options` for a value that a setting cannot have
 */
export function readSettings(given: Readonly<Record<string, unknown>>): PromptSettings {
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, fallback] of Object.entries(defaultSettings)) {
    const value = given[name];
    if (value === undefined) continue;
    const choices: readonly string[] | undefined = Object.hasOwn(settingChoices, name)
      ? settingChoices[name as keyof typeof settingChoices]
      : undefined;
    if (typeof fallback === 'number') settings[name] = wholeNumber(name, value);
    else if (typeof value === 'string' && value.length <= maxCharacters && (choices?.includes(value) ?? true)) settings[name] = value;
    else
      throw new SkillError(
        'invalid-options',
        `The setting ${name} cannot be ${JSON.stringify(value).slice(0, 100)}.${choices ? ` Give ${choices.join(', ')}.` : ''}`,
      );
  }
  return settings as unknown as PromptSettings;
}

/** A skillset with these settings. */
export function skillsetOf(provider: SkillProvider, settings: PromptSettings): Skillset {
  const { maxTokens, format, mode, surface, refreshAfter } = settings;
  return createSkillset({
    provider,
    onDiagnostic: 'silent',
    catalog: { maxTokens, format },
    surface: {
      mode,
      tools: surface,
      ...modelOf(settings),
    },
    gates: { tools: gatedToolsOf(settings) },
    ...(refreshAfter > 0 && { conversation: { refresh: { afterTokens: refreshAfter } } }),
  });
}

/** The model as an option of a skillset: its provider stands before the slash. */
export function modelOf({ model }: Pick<PromptSettings, 'model'>): {
  readonly model?: { readonly provider?: string; readonly model: string };
} {
  const slash = model.indexOf('/');
  if (model === '') return {};
  return { model: slash > 0 ? { provider: model.slice(0, slash), model: model.slice(slash + 1) } : { model } };
}

/** The tools that are gated, by name. */
export function gatedToolsOf({ gatedTools }: Pick<PromptSettings, 'gatedTools'>): string[] {
  return gatedTools
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function wholeNumber(name: string, value: unknown): number {
  const number = Number(value);
  const least = name === 'maxTokens' ? 1 : 0;
  if (Number.isInteger(number) && number >= least && number <= 10_000_000) return number;
  throw new SkillError(
    'invalid-options',
    `The setting ${name} cannot be ${JSON.stringify(value)}. Give a whole number of at least ${least}.`,
  );
}
