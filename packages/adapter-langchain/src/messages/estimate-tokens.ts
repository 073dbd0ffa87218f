import type { BaseMessage } from '@langchain/core/messages';

/** Four characters a token, as LangChain itself estimates. Tool calls count with what they were called with. */
export function estimateTokens(messages: readonly BaseMessage[]): number {
  let characters = 0;
  for (const message of messages) {
    characters += message.text.length;
    if ('tool_calls' in message) characters += JSON.stringify(message.tool_calls).length;
  }
  return Math.ceil(characters / 4);
}
