import { asText, contentText, listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import { addResults, type RecordedPart, type RecordedResult, type RecordedTurn } from '../recording.ts';

/** Items that only this SDK has. A message without a type could be one of the AI SDK, too. */
const ownTypes = new Set(['message', 'function_call', 'function_call_result', 'hosted_tool_call']);
const knownTypes = new Set([...ownTypes, 'reasoning', 'compaction', 'unknown']);

/** The items of a history or a session of the OpenAI Agents SDK; `undefined` for anything else. */
export function openAiAgentsItems(value: unknown): readonly unknown[] | undefined {
  const { history, items } = objectOf(value);
  const found = [value, history, items].map(listOf).find((list) => list.length > 0);
  if (found === undefined || !found.every(isItem)) return undefined;
  return found.some((item) => ownTypes.has(textOf(objectOf(item)['type']))) ? found : undefined;
}

function isItem(value: unknown): boolean {
  const { type, role } = objectOf(value);
  return type === undefined ? role === 'user' || role === 'assistant' || role === 'system' : knownTypes.has(textOf(type));
}

/** What a model says and calls in one answer stands in several items; they are one turn. */
export function readOpenAiAgentsItems(items: readonly unknown[]): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  const say = (part: RecordedPart): void => {
    const last = turns.at(-1);
    if (last?.role === 'assistant') turns[turns.length - 1] = { ...last, parts: [...last.parts, part] };
    else turns.push({ role: 'assistant', parts: [part] });
  };
  for (const item of items.map(objectOf)) {
    const { type, role } = item;
    if (type === 'function_call') say(callOf(item));
    else if (type === 'function_call_result') addResults(turns, [resultOf(item)]);
    else if (role === 'user') turns.push({ role: 'user', text: contentText(item['content']), raw: item });
    else if (role === 'assistant') say({ type: 'text', text: contentText(item['content']), metadata: item });
    else if (type === 'reasoning') say({ type: 'reasoning', text: contentText(item['content']), metadata: item });
  }
  return turns;
}

function callOf(item: Json): RecordedPart {
  return {
    type: 'call',
    id: textOf(item['callId']),
    tool: textOf(item['name']),
    input: inputOf(textOf(item['arguments'])),
    metadata: item,
  };
}

function resultOf(item: Json): RecordedResult {
  const { output } = item;
  const text = typeof output === 'object' && output !== null ? contentText(Array.isArray(output) ? output : [output]) : asText(output);
  return { id: textOf(item['callId']), tool: textOf(item['name']), output: text, raw: output };
}

function inputOf(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
