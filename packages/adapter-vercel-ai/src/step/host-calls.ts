import { hostCallOver, isHostCallId, signingModels } from '@repertoire/skills-core/adapter';
import type { LanguageModel, ModelMessage, ToolResultPart } from 'ai';

/** Whether the model takes calls of the host only from a turn that is over. */
export function signsThinking(model: LanguageModel | undefined): boolean {
  if (model === undefined) return false;
  return signingModels.test(typeof model === 'string' ? model : `${model.provider} ${model.modelId}`);
}

/**
 * The messages with an end behind each call that the host made in the model's place. It depends on
 * the messages alone, so that each request has it at the same place. Returns the same array if
 * there are no such calls.
 */
export function endHostCalls(messages: ModelMessage[], loadTool: string): ModelMessage[] {
  const ended = messages.flatMap((message, index) => {
    const next = messages[index + 1];
    if (!isHostAnswer(message, loadTool) || isHostCall(next, loadTool) || isEnd(next)) return [message];
    const answer: ModelMessage = { role: 'assistant', content: hostCallOver.answer };
    const request: ModelMessage = { role: 'user', content: hostCallOver.request };
    return next?.role === 'user' ? [message, answer] : [message, answer, request];
  });
  return ended.length === messages.length ? messages : ended;
}

function isHostAnswer(message: ModelMessage, loadTool: string): boolean {
  if (message.role !== 'tool' || message.content.length !== 1) return false;
  const [part] = message.content;
  return part?.type === 'tool-result' && part.toolName === loadTool && isHostCallId(part.toolCallId);
}

function isHostCall(message: ModelMessage | undefined, loadTool: string): boolean {
  if (message?.role !== 'assistant' || typeof message.content === 'string') return false;
  const [part] = message.content;
  return part?.type === 'tool-call' && part.toolName === loadTool && isHostCallId(part.toolCallId);
}

/** The SDK keeps the messages of a step for the next. */
function isEnd(message: ModelMessage | undefined): boolean {
  return message?.role === 'assistant' && message.content === hostCallOver.answer;
}

/** A call of the load tool that the host made on behalf of the model. */
export interface HostCall {
  readonly toolCallId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: ToolResultPart['output'];
}

/** A call and its result. In pairs: not every provider accepts two calls in a message. */
export function hostCallMessages({ toolCallId, tool, input, output }: HostCall): [ModelMessage, ModelMessage] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: tool, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: tool, output }] },
  ];
}
