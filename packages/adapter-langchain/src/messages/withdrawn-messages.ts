import { ToolMessage, type BaseMessage } from '@langchain/core/messages';

/** Messages with these instructions replaced. Equal ids replace the old messages in the state. */
export function withdrawnMessages(
  messages: readonly BaseMessage[],
  names: readonly string[],
  textOf: (text: string) => string,
): ToolMessage[] {
  return messages.flatMap((message) => {
    if (!ToolMessage.isInstance(message) || message.id === undefined) return [];
    const ids = message.metadata?.['skillIds'];
    if (!Array.isArray(ids) || !ids.some((id) => names.includes(id as string))) return [];
    const { id, name, tool_call_id } = message;
    return [new ToolMessage({ id, tool_call_id, content: textOf(message.text), status: 'success', ...(name !== undefined && { name }) })];
  });
}
