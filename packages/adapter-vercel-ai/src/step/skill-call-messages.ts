import { fingerprint } from '@repertoire/skills-core/state';
import type { ModelMessage, ToolResultPart } from 'ai';

/** A call of the load tool that the host made in the model's place. */
export interface HostCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: ToolResultPart['output'];
  /** Where it stands: the same call at the same place has the same id in every request. */
  readonly place: string;
}

/** Nine letters and digits, which every provider accepts. */
export function hostCallId({ tool, input, place }: Omit<HostCall, 'output'>): string {
  return `s${fingerprint(JSON.stringify([place, tool, input])).slice(-8)}`;
}

/** A call and its result, as the model would have made it. Each pair stands alone, because not every provider accepts two calls in one message. */
export function hostCallMessages(call: HostCall): [ModelMessage, ModelMessage] {
  const toolCallId = hostCallId(call);
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: call.tool, input: call.input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: call.tool, output: call.output }] },
  ];
}

/** Whether a message is a call that was put there. */
export function isHostCall(message: ModelMessage | undefined, tool: string, place: string): boolean {
  if (message?.role !== 'assistant' || typeof message.content === 'string') return false;
  const [part] = message.content;
  return (
    part?.type === 'tool-call' &&
    part.toolName === tool &&
    part.toolCallId === hostCallId({ tool, input: part.input as HostCall['input'], place })
  );
}
