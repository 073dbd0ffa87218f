import type { AgentInputItem } from '@openai/agents-core';

/** A call of the load tool that the host made on behalf of the model. */
export interface HostCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A call and its result, as if the model had made it. */
export function hostCallItems({ callId, tool, input, text }: HostCall): AgentInputItem[] {
  return [
    { type: 'function_call', callId, name: tool, arguments: JSON.stringify(input), status: 'completed' },
    { type: 'function_call_result', callId, name: tool, status: 'completed', output: { type: 'text', text } },
  ];
}
