import type { SkillToolContext } from '../skill-tool.ts';
import { changeOf, inForce } from '../../policy/in-force.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import type { SkillInUse } from './skill-in-use.ts';
import { skillChanged } from './skill-changed.ts';
import { tellChanged } from './tell-changed.ts';

/**
 * Before something of a loaded skill runs: its source must still have what was loaded. A skill that
 * is not loaded passes, since nothing was given of it.
 *
 * @throws {SkillError} `skill-changed`, or what the source rejects with
 */
export async function assertPinned(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { state, signal }: SkillToolContext,
): Promise<void> {
  if (loaded === undefined) return;
  const { name } = skill;
  const look = await inForce(environment.present, state, name, { signal });
  if (look.inForce) return;
  if (look.refused !== undefined) await environment.assertAllowed('load', look.refused);
  const reason = changeOf(look.reason);
  await tellChanged(environment, name, loaded, reason, signal);
  throw skillChanged(environment, { name, loaded, reason });
}
