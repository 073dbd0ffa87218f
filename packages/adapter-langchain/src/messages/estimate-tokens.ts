import { AIMessage, type BaseMessage } from '@langchain/core/messages';

/** How long a conversation is, in tokens: by a refresh policy, the order of magnitude decides. Tool calls count with what they were called with. */
export function estimateTokens(messages: readonly BaseMessage[]): number {
  return tokensOfLength(messages.reduce((length, message) => length + lengthOf(message), 0));
}

/** How many characters of a message count. */
export function lengthOf(message: BaseMessage): number {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.reduce((length, { args }) => length + (JSON.stringify(args)?.length ?? 0), message.text.length);
}

/** Four characters a token, as both adapters count, so that a policy means the same in both. */
export function tokensOfLength(characters: number): number {
  return Math.ceil(characters / 4);
}
