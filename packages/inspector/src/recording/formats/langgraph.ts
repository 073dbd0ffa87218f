import { contentText, listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import { addResults, type RecordedPart, type RecordedTurn } from '../recording.ts';

const types = new Set(['human', 'ai', 'tool', 'system', 'HumanMessage', 'AIMessage', 'AIMessageChunk', 'ToolMessage', 'SystemMessage']);

/** The messages of a LangGraph file: messages, a state, a checkpoint or a history of them. */
export function langGraphMessages(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value) && value.length > 0 && value.every(isLangGraphMessage)) return value;
  const found = (Array.isArray(value) ? value : [value]).flatMap((each) => {
    const messages = messagesIn(objectOf(each));
    return messages === undefined ? [] : [messages];
  });
  return found.sort((a, b) => b.length - a.length)[0];
}

/** A message as `JSON.stringify`, `toDict` or the server of LangGraph writes it. */
export function isLangGraphMessage(value: unknown): boolean {
  return types.has(fieldsOf(objectOf(value)).type);
}

export function readLangGraphMessages(messages: readonly unknown[]): RecordedTurn[] {
  const toolOf = new Map<string, string>();
  const turns: RecordedTurn[] = [];
  for (const message of messages) {
    const { type, fields } = fieldsOf(objectOf(message));
    const { content } = fields;
    if (type === 'human' || type === 'HumanMessage') turns.push({ role: 'user', text: contentText(content), raw: content });
    if (type === 'ai' || type.startsWith('AIMessage')) {
      const calls = listOf(fields['tool_calls']).map(objectOf);
      const text = contentText(content);
      const parts: RecordedPart[] = text === '' ? [] : [{ type: 'text', text }];
      for (const call of calls) {
        const id = textOf(call['id']);
        toolOf.set(id, textOf(call['name']));
        parts.push({ type: 'call', id, tool: textOf(call['name']), input: call['args'] });
      }
      turns.push({ role: 'assistant', parts });
    }
    if (type === 'tool' || type === 'ToolMessage') {
      const id = textOf(fields['tool_call_id']);
      const tool = toolOf.get(id) ?? textOf(fields['name']);
      const result = { id, tool, output: contentText(content), raw: content, ...(fields['status'] === 'error' && { isFailed: true }) };
      addResults(turns, [result]);
    }
  }
  return turns;
}

function messagesIn(each: Json): readonly unknown[] | undefined {
  const places = [
    each,
    objectOf(each['values']),
    objectOf(each['channel_values']),
    objectOf(objectOf(each['checkpoint'])['channel_values']),
  ];
  return places.map(({ messages }) => listOf(messages)).find((messages) => messages.length > 0 && messages.every(isLangGraphMessage));
}

function fieldsOf(message: Json): { readonly type: string; readonly fields: Json } {
  if (message['type'] === 'constructor' && Array.isArray(message['id'])) {
    return { type: textOf(message['id'].at(-1)), fields: objectOf(message['kwargs']) };
  }
  const data = objectOf(message['data']);
  return { type: textOf(message['type']), fields: 'content' in data ? data : message };
}
