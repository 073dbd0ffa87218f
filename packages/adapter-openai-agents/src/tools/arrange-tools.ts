import type { Tool } from '@openai/agents-core';
import type { SkillSession, SkillState } from '@repertoire/skills-core';
import type { ToolsBySkill } from '../sources/brought-tools.ts';

/** Which tools a model is to see. */
export interface ArrangeTools<TContext> {
  readonly session: SkillSession;
  readonly state: SkillState;
  /** Skill tools of this session, then the agent's own. */
  readonly tools: readonly Tool<TContext>[];
  readonly brought: ToolsBySkill;
  readonly hideClosed: boolean;
}

/** The tools in the order in which a model sees them: those that never change first, then what loaded skills opened, in the order of loading. */
export async function arrangeTools<TContext>({
  session,
  state,
  tools,
  brought,
  hideClosed,
}: ArrangeTools<TContext>): Promise<Tool<TContext>[]> {
  const more = [...brought.values()].flat() as unknown as Tool<TContext>[];
  const fixed = hideClosed ? [] : tools.map(nameOf);
  const judged = [...(hideClosed ? tools : []), ...more].map(nameOf);
  const visible = [...fixed, ...(await session.visibleTools(judged, state))];
  const all = [...tools, ...more];
  return all.filter((tool) => visible.includes(nameOf(tool))).sort((a, b) => visible.indexOf(nameOf(a)) - visible.indexOf(nameOf(b)));
}

/** Hosted tools have a name of their own, by which skills name them. */
export function nameOf(tool: Tool<never>): string {
  return 'name' in tool && typeof tool.name === 'string' ? tool.name : tool.type;
}
