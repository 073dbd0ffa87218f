import type { FunctionTool } from '@openai/agents-core';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { toolsOfSkillFailed, freeToolName } from '@repertoire/skills-core/adapter';
import { revisionOf } from '@repertoire/skills-core/internal';
import type { AgentToolSource } from './tool-source.ts';

/** The tools of loaded skills, by the name of the skill. */
export type ToolsBySkill = ReadonlyMap<string, readonly FunctionTool[]>;

/** Tools of loaded skills, cached until a skill changes. A failing source is asked again. */
export function openToolsOfSkills(sources: readonly AgentToolSource[], report: (diagnostic: SkillDiagnostic) => void) {
  const known = new Map<string, ReadonlyMap<string, FunctionTool>>();

  return async (skills: readonly SkillMetadata[], hostNames: readonly string[]): Promise<ToolsBySkill> => {
    const taken = new Set(hostNames);
    const bySkill = new Map<string, readonly FunctionTool[]>();
    for (const skill of sources.length === 0 ? [] : skills) {
      const tools = [...(await toolsOf(skill))].map(([wanted, tool]) => {
        const name = freeToolName(wanted, skill.name, taken);
        taken.add(name);
        return name === tool.name ? tool : { ...tool, name };
      });
      if (tools.length > 0) bySkill.set(skill.name, tools);
    }
    return bySkill;
  };

  async function toolsOf(skill: SkillMetadata): Promise<ReadonlyMap<string, FunctionTool>> {
    const key = JSON.stringify([skill.name, skill.version, revisionOf(skill, null)]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const tools = new Map<string, FunctionTool>();
    try {
      for (const source of sources) for (const [name, tool] of await source(skill, { report })) tools.set(name, tool);
    } catch (error) {
      report(toolsOfSkillFailed(skill.name, error));
      return new Map();
    }
    known.set(key, tools);
    return tools;
  }
}
