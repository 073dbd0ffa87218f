import { ToolMessage, type BaseMessage } from '@langchain/core/messages';

/** The messages that carry the instructions of these skills, with other text in their place. They have the ids of the old ones, so a graph's state replaces those. */
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
