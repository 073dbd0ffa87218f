import type { AgentInputItem } from '@openai/agents-core';
import type { SkillTranscriptEntry, SkillTurn } from '@repertoire/skills-core/adapter';

/** Measures a text: `session.lengthOf`. */
export type LengthOf = (text: string) => number;

/**
 * The items of a conversation, independent of the framework: the finished tool calls of each, and
 * its length if `lengthOf` is passed. A call without a result is not finished. A result without its
 * call is ignored.
 *
 * @param lengthOf measures a text. Without it, lengths are left out
 */
export function turnsOfItems(items: readonly AgentInputItem[], lengthOf?: LengthOf): SkillTurn[] {
  const open = new Map<string, { readonly name: string; readonly input: unknown; readonly at: number }>();
  let [tokens, step] = [0, 0];
  let before: SkillTurn['role'] | undefined;
  return items.map((item): SkillTurn => {
    const role = roleOf(item);
    // One answer of a model has several items. All of its calls share the answer's start offset.
    if (role === 'assistant' && before !== 'assistant') step = tokens;
    before = role;
    const start = tokens;
    const entries: SkillTranscriptEntry[] = [];
    if (item.type === 'function_call') {
      // Only a model makes calls. A client may write any role into an item.
      if (role === 'assistant') open.set(item.callId, { name: item.name, input: inputOf(item.arguments), at: step });
      tokens += lengthOf?.(item.arguments) ?? 0;
    } else if (item.type === 'function_call_result') {
      const call = open.get(item.callId);
      const output = textOf(item.output);
      // Some models number calls anew in each turn: an id refers to its latest call.
      open.delete(item.callId);
      if (call?.name === item.name && (role === 'tool' || role === 'assistant'))
        entries.push({ tool: call.name, input: call.input, output, ...(lengthOf !== undefined && { at: call.at }) });
      tokens += lengthOf?.(output) ?? 0;
    } else if ('content' in item) tokens += lengthOf?.(textOf(item.content)) ?? 0;
    const callIds = item.type === 'function_call' && role === 'assistant' ? [item.callId] : [];
    return { role, entries, callIds, ...(lengthOf !== undefined && { tokens: tokens - start }) };
  });
}

/** Parses the arguments that a model wrote. Returns the text itself if it is not JSON. */
export function inputOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

function roleOf(item: AgentInputItem): SkillTurn['role'] {
  if ('role' in item && (item.role === 'user' || item.role === 'system')) return item.role;
  if (item.type === 'function_call_result') return 'tool';
  return 'assistant';
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (typeof value !== 'object' || value === null || !('text' in value)) return '';
  return typeof value.text === 'string' ? value.text : '';
}
