import type { SkillSession } from '@repertoire/skills-core';

/** The tools as a model sees them, with this session's description of the load tool. */
export function modelTools<Tool extends { readonly name?: unknown; readonly description?: unknown }>(
  session: SkillSession,
  tools: readonly Tool[],
): Tool[] {
  return tools.map((tool) => {
    const own = session.tools.find(({ name }) => name === tool.name);
    if (own === undefined || own.description === tool.description) return tool;
    return {
      type: 'function',
      function: { name: own.name, description: own.description, parameters: structuredClone(own.inputSchema) },
    } as unknown as Tool;
  });
}
