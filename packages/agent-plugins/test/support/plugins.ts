/** Text of a `plugin.json` that conforms. */
export function manifestOf(name: string, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', name, ...more });
}

/** Text of an `mcp.json` that conforms, if its servers do. */
export function mcpOf(mcpServers: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json', mcpServers });
}

/** Text of a `SKILL.md` that conforms. */
export function skillOf(name: string, body: string = `Do ${name}.`): string {
  return `---\nname: ${name}\ndescription: Does ${name}. Use it when ${name} is asked for.\n---\n\n${body}\n`;
}
