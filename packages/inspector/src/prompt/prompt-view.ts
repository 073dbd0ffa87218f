import type { SkillProvider } from '@repertoire/skills-core';
import { replayRecording } from '../replay/replay-recording.ts';
import { skillsetOf, type PromptSettings } from './prompt-settings.ts';

/** One tool, as a model is told of it. */
export interface PromptTool {
  readonly name: string;
  /** The definition as the framework sends it: JSON. */
  readonly json: string;
  readonly tokens: number;
}

/** What a model gets before anything was said. */
export interface PromptView {
  readonly settings: PromptSettings;
  readonly system: string;
  readonly systemTokens: number;
  readonly tools: readonly PromptTool[];
  readonly toolTokens: number;
  /** The first message of a person, as the framework sends it. */
  readonly messages: readonly string[];
  /** Names of skills that the budget touched. */
  readonly cut: { readonly shortened: readonly string[]; readonly nameOnly: readonly string[]; readonly dropped: readonly string[] };
}

const hello = { format: 'steps', turns: [{ role: 'user', text: 'Hello' }], hasTexts: true, tools: [] } as const;

/**
 * The exact system prompt and tools that a model gets, by running the real adapter up to its first
 * call.
 *
 * @throws {SkillError} `invalid-options` for a framework that is not installed
 */
export async function promptView(provider: SkillProvider, settings: PromptSettings, signal?: AbortSignal): Promise<PromptView> {
  const { requests } = await replayRecording(provider, hello, { settings, signal });
  const { system = '', tools: sent = [], messages = [] } = requests[0] ?? {};
  const skillset = skillsetOf(provider, settings);
  const { catalog } = await skillset.open({ signal });
  const tools = sent.map((json) => ({ name: nameOf(json), json, tokens: skillset.countTokens(json) }));
  return {
    settings,
    system,
    systemTokens: skillset.countTokens(system),
    tools,
    toolTokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
    messages,
    cut: catalog.cut,
  };
}

function nameOf(json: string): string {
  const { name, function: definition } = JSON.parse(json) as { readonly name?: string; readonly function?: { readonly name?: string } };
  return name ?? definition?.name ?? '';
}
