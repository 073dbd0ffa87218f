import { emptySkillState, type SkillSession, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import type { LoadedTools } from '../state/skills-state.ts';

/** Which tools a model is to see. */
export interface ArrangeTools<Tool> {
  readonly session: SkillSession;
  readonly skills: SkillState;
  readonly loadedTools: LoadedTools;
  /** Names of skill tools that some session has. */
  readonly skillTools: readonly string[];
  /** Tools that loaded skills brought. */
  readonly brought: readonly Tool[];
  /** Whether closed tools are hidden. */
  readonly hideClosed: boolean;
}

interface NamedTool {
  readonly name?: unknown;
}

/**
 * The tools in the order in which a model sees them. Those that never change stand first; those that skills brought, and open ones if closed
 * ones are hidden, follow in the order in which their skills were loaded, so that each load only appends. Skill tools are what the session has
 * of them.
 */
export async function arrangeTools<Tool extends NamedTool>(
  tools: readonly Tool[],
  { session, skills, loadedTools, skillTools, brought, hideClosed }: ArrangeTools<Tool>,
): Promise<Tool[]> {
  const own = new Set(session.tools.map(({ name }) => name));
  const isThere = (tool: Tool) => !session.isHidden(nameOf(tool)) && (!skillTools.includes(nameOf(tool)) || own.has(nameOf(tool)));
  const there = tools.filter(isThere);
  const changing = new Set<Tool>();
  const open: Tool[] = [];
  for (const tool of hideClosed ? there : []) {
    if (!(await isClosed(session, nameOf(tool), emptySkillState))) continue;
    changing.add(tool);
    if (!(await isClosed(session, nameOf(tool), skills))) open.push(tool);
  }
  const order = loadedSkillNames(skills).flatMap((name) => [...(loadedTools[name] ?? [])]);
  const last = [...open, ...brought.filter(isThere)].sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)));
  return [...there.filter((tool) => !changing.has(tool)), ...last];
}

/** Whether the gate of a tool is closed. What `allowed-tools` forbid is a matter of the single call. */
async function isClosed(session: SkillSession, tool: string, state: SkillState): Promise<boolean> {
  if (!session.isGated(tool)) return false;
  const verdict = await session.judgeCall(state, { tool });
  return verdict.decision === 'denied' && verdict.error.code === 'not-loaded';
}

function nameOf({ name }: NamedTool): string {
  return String(name);
}
