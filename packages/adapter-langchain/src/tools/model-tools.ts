import type { SkillSession } from '@repertoire/skills-core';

/**
 * The tools as a model is told of them: skill tools by their exact schemas and, if skills are listed in the description of the load tool, by
 * that of this session. The registered tools run; their schemas are lax, so that the core can answer a wrong call in words.
 */
export function modelTools<Tool extends { readonly name?: unknown }>(session: SkillSession, tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => {
    const own = session.tools.find(({ name }) => name === tool.name);
    if (own === undefined) return tool;
    return {
      type: 'function',
      function: { name: own.name, description: own.description, parameters: structuredClone(own.inputSchema) },
    } as unknown as Tool;
  });
}
