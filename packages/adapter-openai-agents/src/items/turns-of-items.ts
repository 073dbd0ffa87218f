import type { AgentInputItem } from '@openai/agents-core';
import type { SkillTurn } from '@repertoire/skills-core/adapter';
import { turnsOfParts, type Measure, type TurnPart } from '@repertoire/skills-core/adapter';

/**
 * The items of a conversation, independent of the framework.
 *
 * @param measure measures texts. Without it, lengths are left out
 */
export function turnsOfItems(items: readonly AgentInputItem[], measure?: Measure): SkillTurn[] {
  let before: SkillTurn['role'] | undefined;
  const messages = items.map((item) => {
    const role = roleOf(item);
    // One answer of a model has several items. All of its calls share the answer's start offset.
    const begins = role === 'assistant' && before !== 'assistant';
    before = role;
    return { role, parts: [...(begins ? [{ type: 'step' as const }] : []), ...partsOf(item)] };
  });
  return turnsOfParts(messages, measure);
}

function partsOf(item: AgentInputItem): TurnPart[] {
  if (item.type === 'function_call')
    return [{ type: 'call', id: item.callId, tool: item.name, input: inputOf(item.arguments), written: item.arguments }];
  if (item.type !== 'function_call_result') return 'content' in item ? [{ type: 'text', text: textOf(item.content) }] : [];
  const text = textOf(item.output);
  return [{ type: 'result', id: item.callId, tool: item.name, text, read: text }];
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
