import type { ModelMessage, ToolResultPart, UIMessage } from 'ai';

/** A message as a model gets it, or as a user interface keeps it. */
export type AnyMessage = ModelMessage | UIMessage;

/** A finished piece of a conversation, in neither's shape. */
export type MessagePart =
  /** Here the model begins to answer. */
  | { readonly type: 'step' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: unknown }
  /** `text` is missing if the model read of a failure; `read` is what it read in any case. */
  | { readonly type: 'result'; readonly id: string; readonly tool: string; readonly text?: string | undefined; readonly read: string };

/** The pieces of a message, in order. What carries neither text nor a tool call is left out. */
export function partsOf(message: AnyMessage): MessagePart[] {
  const parts = 'parts' in message ? message.parts.flatMap(uiParts) : modelParts(message);
  return message.role === 'assistant' ? [{ type: 'step' }, ...parts] : parts;
}

/** What the model read of a result; `undefined` where it read of a failure. */
export function textOfOutput(output: ToolResultPart['output']): string | undefined {
  switch (output.type) {
    case 'text':
      return output.value;
    case 'json':
      return asText(output.value);
    case 'content':
      return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    default:
      return undefined;
  }
}

function modelParts({ content }: ModelMessage): MessagePart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): MessagePart[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ type: 'text', text: part.text }];
      case 'tool-call':
        return [{ type: 'call', id: part.toolCallId, tool: part.toolName, input: part.input }];
      case 'tool-result': {
        const text = textOfOutput(part.output);
        const read = text ?? ('value' in part.output ? asText(part.output.value) : '');
        return [{ type: 'result', id: part.toolCallId, tool: part.toolName, text, read }];
      }
      default:
        return [];
    }
  });
}

function uiParts(part: UIMessage['parts'][number]): MessagePart[] {
  if (part.type === 'text' || part.type === 'reasoning') return [{ type: 'text', text: part.text }];
  if (part.type === 'step-start') return [{ type: 'step' }];
  if (!('toolCallId' in part)) return [];
  const { toolCallId: id, state } = part;
  const tool = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  const call: MessagePart = { type: 'call', id, tool, input: part.input };
  if (state === 'output-error') return [call, { type: 'result', id, tool, read: part.errorText }];
  // What came so far of a result that comes in parts is no result.
  if (state !== 'output-available' || part.preliminary === true) return [call];
  const text = asText(part.output);
  return [call, { type: 'result', id, tool, text, read: text }];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
