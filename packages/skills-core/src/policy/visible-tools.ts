import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill } from '../state/skill-state.ts';
import type { SkillGates } from './gates.ts';
import type { PresentSkills } from './in-force.ts';
import { openSkills, type OpenSkillsInput } from './open-skills.ts';

/** What decides which tools are visible. */
export interface VisibleToolsInput extends OpenSkillsInput {
  readonly gates: Pick<SkillGates, 'isGated'>;
  /** Whether a tool is a skill tool, which no gate closes. */
  isSkillTool(tool: string): boolean;
}

/**
 * The tools that a model sees if closed ones are hidden: first those that no load opens or closes,
 * then the open ones, in the order in which the skills that open them were loaded. So a load only
 * appends to the list. While the source cannot be asked, closed tools stay hidden.
 */
export async function visibleTools(names: readonly string[], given: VisibleToolsInput): Promise<readonly string[]> {
  const { gates, state, isSkillTool } = given;
  const input = { ...given, present: { ...given.present, mayLoad: onceForEach(given.present.mayLoad) } };
  const always: string[] = [];
  const open: { readonly name: string; readonly since: number }[] = [];
  for (const name of names) {
    if (!gates.isGated(name) || isSkillTool(name)) {
      always.push(name);
      continue;
    }
    // Hiding a tool is no gate: whoever calls it is judged again, and told why.
    const found = await openSkills(input, name).catch(() => undefined);
    if (found === undefined || found.open.length === 0) continue;
    if (found.fromStart) always.push(name);
    else open.push({ name, since: Math.min(...found.open.map((skill) => loadedSkill(state, skill)?.sequence ?? 0)) });
  }
  return [...always, ...open.sort((a, b) => a.since - b.since).map(({ name }) => name)];
}

/** Several tools are opened by one skill, and a permission may cost a request. */
function onceForEach(ask: PresentSkills['mayLoad']): PresentSkills['mayLoad'] {
  const answers = new Map<SkillMetadata, Promise<boolean>>();
  return (skill) => {
    const answer = answers.get(skill) ?? ask(skill);
    answers.set(skill, answer);
    return answer;
  };
}
