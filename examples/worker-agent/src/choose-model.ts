import { createAnthropic } from '@ai-sdk/anthropic';
import { scriptedModel, type ScriptedModelCall } from '@repertoire/skills-testkit/ai-sdk';
import type { LanguageModel } from 'ai';
import { env } from 'cloudflare:workers';

/** Claude if there is a key, otherwise a stand-in that costs nothing. */
export function chooseModel(): LanguageModel {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = env;
  if (apiKey === undefined) return scriptedModel(standIn);
  return createAnthropic({ apiKey, ...(baseURL !== undefined && { baseURL }) })('claude-sonnet-5-5');
}

/**
 * Calls the tools that the person's message names, one per line, such as `load_skill
 * {"name":"refunds"}`. Then it answers with the system prompt.
 */
function standIn({ prompt }: ScriptedModelCall) {
  const last = prompt.findLastIndex(({ role }) => role === 'user');
  const person = prompt[last];
  const said = person?.role === 'user' ? person.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') : '';
  const calls = [...said.matchAll(/^(\w+) (\{.*\})$/gm)];
  const next = calls[prompt.slice(last).filter(({ role }) => role === 'tool').length];
  if (next === undefined) return { text: prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n') };
  return { toolCalls: [{ toolName: next[1] ?? '', input: JSON.parse(next[2] ?? '') as unknown, toolCallId: crypto.randomUUID() }] };
}
