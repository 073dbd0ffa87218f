import type { ToolSet } from 'ai';

/** Whether a value is what `tool({ … })` of the SDK returns. */
export function isAiSdkTool(value: unknown): value is ToolSet[string] {
  return typeof value === 'object' && value !== null && 'inputSchema' in value;
}
