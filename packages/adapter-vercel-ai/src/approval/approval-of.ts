import type { ModelMessage } from 'ai';

/**
 * The SDK's request for the approval of a call, as the messages have it, and its answer. It tells a
 * call that is to be asked about from one whose yes is checked, for which the SDK calls
 * `toolApproval` again. A client may have written it: it proves that somebody claims to have asked.
 *
 * @returns `undefined` if the messages have no request
 */
export function approvalOf(messages: readonly ModelMessage[], toolCallId: string): { readonly approved: boolean | undefined } | undefined {
  const requests = new Set<string>();
  let approved: boolean | undefined;
  for (const { content } of messages) {
    if (typeof content === 'string') continue;
    for (const part of content) {
      if (part.type === 'tool-approval-request' && part.toolCallId === toolCallId) requests.add(part.approvalId);
      if (part.type === 'tool-approval-response' && requests.has(part.approvalId)) approved = part.approved;
    }
  }
  return requests.size === 0 ? undefined : { approved };
}
