import type { FunctionTool } from '@openai/agents-core';

/** Whether a value is what `tool({ … })` of the SDK returns. */
export function isFunctionTool(value: unknown): value is FunctionTool {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'function' && 'invoke' in value;
}
