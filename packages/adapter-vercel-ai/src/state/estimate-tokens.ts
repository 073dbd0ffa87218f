import { inputLength, partsOf, type AnyMessage } from './message-text.ts';

/** How long a conversation is, in tokens: by a refresh policy, the order of magnitude decides. Tool calls count with what they were called with. */
export function estimateTokens(messages: readonly AnyMessage[]): number {
  let characters = 0;
  for (const part of messages.flatMap(partsOf)) {
    if (part.type === 'text') characters += part.text.length;
    else if (part.type !== 'step') characters += part.type === 'call' ? inputLength(part.input) : part.length;
  }
  return tokensOfLength(characters);
}

/** Four characters a token, as LangChain counts, so that both adapters mean the same by a policy. */
export function tokensOfLength(characters: number): number {
  return Math.ceil(characters / 4);
}
