import type { SkillToolContext } from '../skill-tool.ts';
import { lookAtLoaded } from '../../policy/held/look-at-loaded.ts';
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
export async function assertHeld(
  environment: ToolEnvironment,
  { skill, loaded }: SkillInUse,
  { state, signal }: SkillToolContext,
): Promise<void> {
  if (loaded === undefined) return;
  const { name } = skill;
  const look = await lookAtLoaded(environment.present, state, name, { signal });
  if (look.status === 'held') return;
  await tellChanged(environment, name, loaded, look.reason, signal);
  throw skillChanged(environment, { name, loaded, reason: look.reason });
}
