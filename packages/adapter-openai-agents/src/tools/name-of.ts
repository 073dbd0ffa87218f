import type { Tool } from '@openai/agents-core';

/** The name by which skills know a tool. Hosted tools without a name of their own go by their type. */
export function nameOf(tool: Tool<never>): string {
  return 'name' in tool && typeof tool.name === 'string' ? tool.name : tool.type;
}
