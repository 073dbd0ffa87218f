import type { StructuredToolInterface } from '@langchain/core/tools';
import type { SkillSession, SkillState } from '@repertoire/skills-core';
import type { ToolsBySkill } from '../binding/brought-tools.ts';

/** Which tools a model is to see. */
export interface ArrangeTools {
  readonly session: SkillSession;
  readonly skills: SkillState;
  /** Names of skill tools that some session has. */
  readonly skillTools: readonly string[];
  /** Tools that loaded skills brought. */
  readonly brought: ToolsBySkill;
  /** Whether closed tools are hidden. */
  readonly hideClosed: boolean;
}

interface NamedTool {
  readonly name?: unknown;
}

/**
 * The tools in the order in which a model sees them. Those that never change stand first; those that skills brought, and open ones if closed
 * ones are hidden, follow in the order in which their skills were loaded. Skill tools are what the session has of them.
 */
export async function arrangeTools<Tool extends NamedTool>(
  tools: readonly Tool[],
  { session, skills, skillTools, brought, hideClosed }: ArrangeTools,
): Promise<(Tool | StructuredToolInterface)[]> {
  const own = new Set(session.tools.map(({ name }) => name));
  const isThere = (tool: NamedTool) => !session.isHidden(nameOf(tool)) && (!skillTools.includes(nameOf(tool)) || own.has(nameOf(tool)));
  const there = tools.filter(isThere);
  const more = [...brought.values()].flat().filter(isThere);
  const judging = session.withBroughtTools(new Map([...brought].map(([skill, its]) => [skill, its.map(({ name }) => name)])));
  const fixed = hideClosed ? [] : there.map(nameOf);
  const judged = [...(hideClosed ? there : []), ...more].map(nameOf);
  const visible = [...fixed, ...(await judging.visibleTools(judged, skills))];
  return [...there, ...more]
    .filter((tool) => visible.includes(nameOf(tool)))
    .sort((a, b) => visible.indexOf(nameOf(a)) - visible.indexOf(nameOf(b)));
}

function nameOf({ name }: NamedTool): string {
  return String(name);
}
