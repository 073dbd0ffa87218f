import { ToolMessage, type BaseMessage } from '@langchain/core/messages';

/**
 * The messages that contain the instructions of these skills, with other text instead. They keep
 * their ids, so the graph's state replaces the old messages.
 */
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
