import {
  entriesOfTurns,
  turnsOfParts,
  type Measure,
  type SkillTranscriptEntry,
  type SkillTurn,
  type TurnPart,
} from '@repertoire/skills-core/adapter';
import type { ModelMessage, ToolResultPart, UIMessage } from 'ai';

/** A model message or a UI message. */
export type AnyMessage = ModelMessage | UIMessage;

/**
 * The finished tool calls of a conversation, oldest first, independent of the framework. Accepts
 * model messages and UI messages. A call that failed, was denied or has no result yet is not
 * finished. A result without its call is ignored.
 *
 * It reads messages, not steps, because a call that ran after an approval is only in the messages.
 *
 * @example
 * ```ts
 * import { transcriptOfMessages } from '@repertoire/adapter-vercel-ai';
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateFromTranscript } from '@repertoire/skills-core/adapter';
 * import type { ModelMessage, UIMessage } from 'ai';
 *
 * export function stateOf(messages: readonly (ModelMessage | UIMessage)[]): SkillState {
 *   return skillStateFromTranscript(transcriptOfMessages(messages));
 * }
 * ```
 */
export function transcriptOfMessages(messages: readonly AnyMessage[], lengthOf?: (text: string) => number): SkillTranscriptEntry[] {
  return entriesOfTurns(turnsOfMessages(messages, lengthOf && { lengthOf }));
}

/**
 * The messages of a conversation, independent of the framework.
 *
 * @param measure measures texts. Without it, lengths are left out
 */
export function turnsOfMessages(messages: readonly AnyMessage[], measure?: Measure): SkillTurn[] {
  return turnsOfParts(
    messages.map((message) => ({ role: message.role, parts: partsOf(message) })),
    measure,
  );
}

/** The parts of a message, in order. Parts without text or tool call are skipped. */
export function partsOf(message: AnyMessage): TurnPart[] {
  const parts = 'parts' in message ? message.parts.flatMap(uiParts) : modelParts(message);
  return message.role === 'assistant' ? [{ type: 'step' }, ...parts] : parts;
}

/** What the model read of a result; `undefined` for a failure. */
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

function modelParts({ content }: ModelMessage): TurnPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): TurnPart[] => {
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

function uiParts(part: UIMessage['parts'][number]): TurnPart[] {
  if (part.type === 'text' || part.type === 'reasoning') return [{ type: 'text', text: part.text }];
  if (part.type === 'step-start') return [{ type: 'step' }];
  if (!('toolCallId' in part)) return [];
  const { toolCallId: id, state } = part;
  const tool = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  const call: TurnPart = { type: 'call', id, tool, input: part.input };
  if (state === 'output-error') return [call, { type: 'result', id, tool, read: part.errorText }];
  // A preliminary output is not a result yet.
  if (state !== 'output-available' || part.preliminary === true) return [call];
  const text = asText(part.output);
  return [call, { type: 'result', id, tool, text, read: text }];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
