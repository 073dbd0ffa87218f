import { listedVersion } from '../../catalog/listed-versions.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { loadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * Reads a skill that a conversation has loaded, in the version that it has, to give its text once more. What is no longer listed, selected or
 * permitted is not given back.
 *
 * @returns `null` if it is gone
 * @throws {SkillError} `permission-denied`, or what the provider rejects with
 */
export async function readLoadedSkill(
  environment: ToolEnvironment,
  state: SkillState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Skill | null> {
  const version = loadedSkill(state, name)?.version ?? null;
  if (listedVersion(environment.catalog.listed, name, version) === undefined) return null;
  const skill = await environment.provider.getSkill(name, { version, signal });
  if (skill === null || !environment.isSelected(skill)) return null;
  await environment.assertAllowed('load', skill);
  return skill;
}
