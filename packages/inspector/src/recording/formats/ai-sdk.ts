import { asText, contentText, listOf, objectOf, textOf, type Json } from '../json-shape.ts';
import type { RecordedPart, RecordedResult, RecordedTurn } from '../recording.ts';

/** Messages of the AI SDK: `ModelMessage`s or `UIMessage`s. */
export function readAiSdkMessages(messages: readonly unknown[]): RecordedTurn[] {
  return messages.flatMap((value): RecordedTurn[] => {
    const message = objectOf(value);
    const at = atOf(message);
    switch (message['role']) {
      case 'user':
        return [{ role: 'user', text: contentText(message['content'] ?? message['parts']), raw: message['content'], ...at }];
      case 'assistant':
        return Array.isArray(message['parts'])
          ? uiTurns(message['parts'], at)
          : [{ role: 'assistant', parts: partsOf(message['content']), ...at }];
      case 'tool':
        return [{ role: 'tool', results: listOf(message['content']).map(objectOf).filter(isResult).map(resultOf), ...at }];
      default:
        return [];
    }
  });
}

function atOf({ createdAt }: Json): { readonly at?: string } {
  return typeof createdAt === 'string' ? { at: createdAt } : {};
}

function partsOf(content: unknown): RecordedPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content)
    .map(objectOf)
    .flatMap((part): RecordedPart[] => {
      const metadata = part['providerOptions'] === undefined ? {} : { metadata: part['providerOptions'] };
      switch (part['type']) {
        case 'text':
        case 'reasoning':
          return [{ type: part['type'], text: textOf(part['text']), ...metadata }];
        case 'tool-call':
          return [{ type: 'call', id: textOf(part['toolCallId']), tool: textOf(part['toolName']), input: part['input'], ...metadata }];
        default:
          return [];
      }
    });
}

function isResult(part: Json): boolean {
  return part['type'] === 'tool-result';
}

function resultOf(part: Json): RecordedResult {
  const output = objectOf(part['output']);
  const { type, value } = output;
  const text = type === 'content' ? contentText(value) : value === undefined ? textOf(output['reason']) : asText(value);
  const isFailed = type === 'error-text' || type === 'error-json' || type === 'execution-denied';
  return { id: textOf(part['toolCallId']), tool: textOf(part['toolName']), output: text, raw: output, ...(isFailed && { isFailed }) };
}

/** A message of a user interface holds all steps of an answer; each becomes a turn. */
function uiTurns(parts: readonly unknown[], at: { readonly at?: string }): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  let said: RecordedPart[] = [];
  let results: RecordedResult[] = [];
  const flush = (): void => {
    if (said.length > 0) turns.push({ role: 'assistant', parts: said, ...at });
    if (results.length > 0) turns.push({ role: 'tool', results, ...at });
    [said, results] = [[], []];
  };
  for (const part of parts.map(objectOf)) {
    const type = textOf(part['type']);
    if (type === 'step-start') flush();
    if (type === 'text' || type === 'reasoning') said.push({ type, text: textOf(part['text']) });
    if (typeof part['toolCallId'] !== 'string') continue;
    const id = part['toolCallId'];
    const tool = type === 'dynamic-tool' ? textOf(part['toolName']) : type.slice('tool-'.length);
    said.push({ type: 'call', id, tool, input: part['input'] });
    if (part['state'] === 'output-available' && part['preliminary'] !== true) results.push({ id, tool, output: asText(part['output']) });
    if (part['state'] === 'output-error') results.push({ id, tool, output: textOf(part['errorText']), isFailed: true });
  }
  flush();
  return turns;
}
