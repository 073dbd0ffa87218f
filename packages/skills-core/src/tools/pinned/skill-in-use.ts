import { findAlike, findSkill, skillNotFound } from '../../catalog/find-skill.ts';
import { isModelInvocable } from '../../catalog/skill-catalog.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import { identityOptions } from '../../contract/skill-identity.ts';
import { loadedSkill, type LoadedSkill, type SkillState } from '../../state/skill-state.ts';
import { assertLoadedVersion, noSuchVersion, wantedVersion } from '../wanted-version.ts';
import type { SkillToolContext } from '../skill-tool.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { requirePinnedSkill } from './read-pinned-skill.ts';

/** A skill that a tool is about. */
export interface SkillInUse {
  readonly skill: Skill;
  /** Its entry in the state, if loaded: then the skill is as it was loaded. */
  readonly loaded: LoadedSkill | undefined;
}

/**
 * Level 2 of a skill whose files are asked for: a loaded one as it was loaded, whoever loaded it,
 * else one that the model may load, as the source and the host have it now. A person may have
 * started a skill that is closed to models; its files go with it.
 *
 * @param version version or range that was asked for. @default the loaded version, else the newest
 * @throws {SkillError} `skill-not-found`, `invalid-input` for another version than the loaded one,
 *   `skill-changed`, `permission-denied`, or what the provider rejects with
 */
export async function readSkillInUse(
  environment: ToolEnvironment,
  asked: string,
  { state, signal }: SkillToolContext,
  version?: string,
): Promise<SkillInUse> {
  const { provider, catalog, isSelected } = environment;
  const name = loadedName(state, asked);
  if (name !== undefined) {
    assertLoadedVersion(environment, state, name, version);
    return { skill: await requirePinnedSkill(environment, state, name, signal), loaded: loadedSkill(state, name) };
  }
  const found = findSkill(catalog, asked);
  const known = version === undefined ? found : wantedVersion(environment, found.name, version);
  // A version may be closed to models while the one in the catalog is open.
  if (known === undefined || !isModelInvocable(known)) throw noSuchVersion(catalog, found.name, version ?? '');
  const skill = await provider.getSkill(known.name, { ...identityOptions(known), signal });
  if (skill === null || !isSelected(skill)) {
    throw skillNotFound(
      catalog.skills.filter((other) => other.name !== known.name),
      known.name,
    );
  }
  return { skill, loaded: undefined };
}

/** The name under which a skill is loaded, also by another spelling. */
function loadedName(state: SkillState, asked: string): string | undefined {
  if (loadedSkill(state, asked) !== undefined) return asked;
  const names = Object.keys(state.loaded).map((name) => ({ name }));
  return names.length === 0 ? undefined : findAlike(names, asked)?.name;
}
