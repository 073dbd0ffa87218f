import { isTrusted, SkillError, type SkillMetadata } from '@repertoire/skills-core';

/**
 * The tools that the skills of an agent name, in the order of the skills, each once. Skills that
 * are not trusted name none.
 *
 * @throws {SkillError} `invalid-options` for a tool that the host does not have
 */
export function agentTools<Tool>(
  agent: string,
  skills: readonly SkillMetadata[],
  tools: Readonly<Record<string, Tool>>,
): Readonly<Record<string, Tool>> {
  const found: Record<string, Tool> = {};
  for (const skill of skills.filter(isTrusted)) {
    for (const id of skill.tools ?? []) {
      const tool = Object.hasOwn(tools, id) ? tools[id] : undefined;
      if (tool === undefined) throw missing(agent, skill.name, id, Object.keys(tools));
      found[id] = tool;
    }
  }
  return found;
}

function missing(agent: string, skill: string, tool: string, known: readonly string[]): SkillError {
  const there = known.length === 0 ? 'loadAgent got no tools.' : `Tools: ${known.slice(0, 20).join(', ')}.`;
  return new SkillError(
    'invalid-options',
    `The skill ${JSON.stringify(skill)} of agent ${JSON.stringify(agent)} names the tool ${JSON.stringify(tool)}, which is not there. ${there} Pass it in tools, or correct the skill.`,
    { skill },
  );
}
