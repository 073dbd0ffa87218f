import type { SkillMetadata } from '../contract/skill-provider.ts';
import { emptySkillState, loadedSkill, type SkillState } from '../state/skill-state.ts';
import type { SkillGates } from './gates.ts';

/** What decides which tools are visible. */
export interface VisibleToolsInput {
  readonly gates: Pick<SkillGates, 'isGated' | 'opening'>;
  readonly state: SkillState;
  /** Whether a tool is a skill tool, which no gate closes. */
  isSkillTool(tool: string): boolean;
  /** Whether the host lets this request load a skill. It is asked once for each skill. */
  mayLoad(skill: SkillMetadata): Promise<boolean>;
}

/**
 * The tools that a model sees if closed ones are hidden: first those that no load opens or closes, then the open ones, in the order in which
 * the skills that open them were loaded. So a load only appends to the list.
 */
export async function visibleTools(names: readonly string[], input: VisibleToolsInput): Promise<readonly string[]> {
  const { gates, state, isSkillTool } = input;
  const answers = new Map<SkillMetadata, Promise<boolean>>();
  const mayLoad = (skill: SkillMetadata): Promise<boolean> => {
    const answer = answers.get(skill) ?? input.mayLoad(skill);
    answers.set(skill, answer);
    return answer;
  };
  const isOpen = async (tool: string, at: SkillState): Promise<boolean> => {
    for (const skill of gates.opening(tool, at)) if (await mayLoad(skill)) return true;
    return false;
  };
  const always: string[] = [];
  const open: { readonly name: string; readonly since: number }[] = [];
  for (const name of names) {
    if (!gates.isGated(name) || isSkillTool(name) || (await isOpen(name, emptySkillState))) always.push(name);
    else if (await isOpen(name, state)) {
      const since = gates.opening(name, state).map((skill) => loadedSkill(state, skill.name)?.sequence ?? 0);
      open.push({ name, since: Math.min(...since) });
    }
  }
  return [...always, ...open.sort((a, b) => a.since - b.since).map(({ name }) => name)];
}
