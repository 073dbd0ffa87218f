import type { Tool } from '@openai/agents-core';

/** The name by which skills know a tool. A hosted tool without a name goes by its type. */
export function nameOf(tool: Tool<never>): string {
  return 'name' in tool && typeof tool.name === 'string' ? tool.name : tool.type;
}
