import type { Skill } from '../../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * Reads a skill that a conversation has loaded, in the version that it has, to give its text once more. Who lost it since does not get it back: what is no longer
 * listed or selected is gone, and permission is asked anew, of that version.
 *
 * @returns `null` where it is gone
 * @throws {SkillError} `permission-denied`, or what the provider rejects with
 */
export async function readLoadedSkill(
  environment: ToolEnvironment,
  state: SkillState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Skill | null> {
  if (!environment.catalog.listed.some((skill) => skill.name === name)) return null;
  const skill = await environment.provider.getSkill(name, { version: loadedSkill(state, name)?.version, signal });
  if (skill === null || !environment.isSelected(skill)) return null;
  await environment.assertAllowed('load', skill);
  return skill;
}
