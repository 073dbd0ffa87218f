import type { UIMessage } from 'ai';

/** What the result of such a call begins with; the words are those of the core. */
const start = 'The outcome of this call is unknown.';

/**
 * Whether a part of a message is a call that began and of which nobody knows how it ended: the
 * process that ran it was stopped or lost.
 */
export function isUnknownCall(part: UIMessage['parts'][number]): boolean {
  return 'toolCallId' in part && part.state === 'output-error' && part.errorText.startsWith(start);
}
