import type { Tool } from '@openai/agents-core';

/** The name of a tool in `tools` of a skill. For a hosted tool without a name, it is the type. */
export function nameOf(tool: Tool<never>): string {
  return 'name' in tool && typeof tool.name === 'string' ? tool.name : tool.type;
}
