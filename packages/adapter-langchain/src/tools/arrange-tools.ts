import type { SkillSession, SkillState } from '@repertoire/skills-core';
import { emptySkillState } from '@repertoire/skills-core';
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
  const there = tools.filter((tool) => !skillTools.includes(nameOf(tool)) || own.has(nameOf(tool)));
  const isClosed = async (tool: Tool, state: SkillState): Promise<boolean> => {
    const verdict = await session.judgeCall(state, { tool: nameOf(tool) });
    // What `allowed-tools` forbid is a matter of the single call; only a closed gate hides a tool.
    return verdict.decision === 'denied' && verdict.error.code === 'not-loaded';
  };
  const changing = new Set<Tool>();
  const open: Tool[] = [];
  for (const tool of hideClosed ? there.filter((candidate) => session.isGated(nameOf(candidate))) : []) {
    if (!(await isClosed(tool, emptySkillState))) continue;
    changing.add(tool);
    if (!(await isClosed(tool, skills))) open.push(tool);
  }
  const order = loadedSkillNames(skills).flatMap((name) => [...(loadedTools[name] ?? [])]);
  const last = [...open, ...brought].sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)));
  return [...there.filter((tool) => !changing.has(tool)), ...last];
}

function nameOf({ name }: NamedTool): string {
  return String(name);
}
