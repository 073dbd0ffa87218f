import type { SkillCallOptions } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { readSkillFiles, type WholeSkill } from '../../providers/digest/read-skill-files.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import type { SkillInUse } from './skill-in-use.ts';
import { skillChanged } from './skill-changed.ts';
import { tellChanged } from './tell-changed.ts';

/**
 * All files of a skill, for a run: of a pinned one all of the pinned content, or none.
 *
 * @throws {SkillError} `skill-changed`, `limit-exceeded`
 */
export async function readPinnedFiles(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { signal }: SkillCallOptions,
): Promise<WholeSkill> {
  const changed = async (): Promise<SkillError> => {
    if (loaded !== undefined) await tellChanged(environment, skill.name, loaded, 'content', signal);
    return skillChanged(environment, { name: skill.name, loaded, reason: 'content' });
  };
  let whole: WholeSkill;
  try {
    whole = await readSkillFiles(environment.provider, skill, { signal });
  } catch (thrown) {
    // A listed file that is no longer there is a change, if it was pinned.
    if (typeof skill.content === 'string' && SkillError.isInstance(thrown) && thrown.code === 'resource-not-found') throw await changed();
    throw thrown;
  }
  if (typeof skill.content === 'string' && whole.digest !== skill.content) throw await changed();
  return whole;
}
