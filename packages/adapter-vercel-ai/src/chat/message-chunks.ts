import type { UIMessage, UIMessageChunk } from 'ai';
import { isCall, toolOf, type CallPart } from './settle-messages.ts';

/** The parts of a message as a stream would have brought them, without its start and end. */
export function messageChunks({ parts }: UIMessage): readonly UIMessageChunk[] {
  return parts.flatMap((part, index): readonly UIMessageChunk[] => {
    const id = `kept-${index}`;
    if (isCall(part)) return callChunks(part);
    switch (part.type) {
      case 'text':
        return [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: part.text },
          { type: 'text-end', id },
        ];
      case 'reasoning':
        return [
          { type: 'reasoning-start', id },
          { type: 'reasoning-delta', id, delta: part.text },
          { type: 'reasoning-end', id, ...(part.providerMetadata !== undefined && { providerMetadata: part.providerMetadata }) },
        ];
      case 'step-start':
        return [{ type: 'start-step' }];
      default:
        // Files, sources and data are chunks as they are.
        return [part];
    }
  });
}

function callChunks(part: CallPart): readonly UIMessageChunk[] {
  const { toolCallId, input, approval, toolMetadata, callProviderMetadata } = part;
  const call = {
    toolCallId,
    toolName: toolOf(part),
    ...(part.type === 'dynamic-tool' && { dynamic: true }),
    ...(part.providerExecuted !== undefined && { providerExecuted: part.providerExecuted }),
    ...(toolMetadata !== undefined && { toolMetadata }),
    ...(callProviderMetadata !== undefined && { providerMetadata: callProviderMetadata }),
  };
  const asked: readonly UIMessageChunk[] =
    approval === undefined
      ? []
      : [
          { type: 'tool-approval-request', toolCallId, approvalId: approval.id },
          ...(approval.approved === undefined
            ? []
            : [
                {
                  type: 'tool-approval-response' as const,
                  approvalId: approval.id,
                  approved: approval.approved,
                  ...(approval.reason !== undefined && { reason: approval.reason }),
                },
              ]),
        ];
  const begun: readonly UIMessageChunk[] = [{ type: 'tool-input-available', ...call, input }, ...asked];
  switch (part.state) {
    case 'input-streaming':
      return [{ type: 'tool-input-start', ...call }];
    case 'output-available':
      return [
        ...begun,
        { type: 'tool-output-available', toolCallId, output: part.output, ...(part.preliminary === true && { preliminary: true }) },
      ];
    case 'output-error':
      return [...begun, { type: 'tool-output-error', toolCallId, errorText: part.errorText }];
    case 'output-denied':
      return [...begun, { type: 'tool-output-denied', toolCallId }];
    default:
      return begun;
  }
}
