import { emptySkillState, loadedSkill, type SkillState } from '../state/skill-state.ts';
import type { SkillGates } from './gates.ts';

/** What decides which tools are visible. */
export interface VisibleToolsInput {
  readonly gates: Pick<SkillGates, 'isGated' | 'opening'>;
  readonly state: SkillState;
  /** Whether the gate of a tool is open in a state. */
  isOpen(tool: string, state: SkillState): Promise<boolean>;
}

/**
 * The tools that a model sees where closed ones are hidden: first those that no skill opens or closes, then the open ones, in the order in
 * which the skills that open them were loaded. So a load only appends to the list.
 */
export async function visibleTools(names: readonly string[], { gates, state, isOpen }: VisibleToolsInput): Promise<readonly string[]> {
  const always: string[] = [];
  const open: { readonly name: string; readonly since: number }[] = [];
  for (const name of names) {
    const isOpenFromStart = () => gates.opening(name, emptySkillState).length > 0 && isOpen(name, emptySkillState);
    if (!gates.isGated(name) || (await isOpenFromStart())) always.push(name);
    else if (await isOpen(name, state)) {
      const since = gates.opening(name, state).map((skill) => loadedSkill(state, skill.name)?.sequence ?? 0);
      open.push({ name, since: Math.min(...since) });
    }
  }
  return [...always, ...open.sort((a, b) => a.since - b.since).map(({ name }) => name)];
}
