import { emptySkillState, type SkillCatalog, type Skillset, type SkillState } from '@repertoire/skills-core';
import { loadedSkillNames } from '@repertoire/skills-core/state';
import type { LoadedTools } from '../state/skills-state.ts';

/** Which tools a model is to see. */
export interface ArrangeTools<Tool, Context> {
  readonly skillset: Skillset<Context>;
  readonly catalog: SkillCatalog<Context>;
  readonly skills: SkillState;
  readonly loadedTools: LoadedTools;
  /** Names of skill tools that some catalog has. */
  readonly skillTools: readonly string[];
  /** Names of the tools that may be locked. */
  readonly lockable: readonly string[];
  /** Tools that loaded skills brought. */
  readonly brought: readonly Tool[];
  /** Whether locked tools are hidden. */
  readonly hideLocked: boolean;
}

interface NamedTool {
  readonly name?: unknown;
}

/**
 * The tools in the order in which a model sees them. Those that never change stand first; those that skills brought, and open ones where locked ones are hidden, follow in
 * the order in which their skills were loaded, so that each load only appends.
 */
export function arrangeTools<Tool extends NamedTool, Context>(
  tools: readonly Tool[],
  { skillset, catalog, skills, loadedTools, skillTools, lockable, brought, hideLocked }: ArrangeTools<Tool, Context>,
): Tool[] {
  const own = new Set(skillset.tools(catalog).map(({ name }) => name));
  const there = tools.filter((tool) => !skillTools.includes(nameOf(tool)) || own.has(nameOf(tool)));
  const isLocked = (tool: Tool, state: SkillState): boolean =>
    lockable.includes(nameOf(tool)) && !skillset.toolAccess(catalog, state, nameOf(tool)).open;
  const changing = new Set(hideLocked ? there.filter((tool) => isLocked(tool, emptySkillState)) : []);
  const order = loadedSkillNames(skills).flatMap((name) => loadedTools[name] ?? []);
  const open = [...[...changing].filter((tool) => !isLocked(tool, skills)), ...brought];
  return [...there.filter((tool) => !changing.has(tool)), ...open.sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)))];
}

function nameOf({ name }: NamedTool): string {
  return String(name);
}
