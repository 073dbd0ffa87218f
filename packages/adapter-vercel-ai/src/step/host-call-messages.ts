import type { ModelMessage, ToolResultPart } from 'ai';

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
