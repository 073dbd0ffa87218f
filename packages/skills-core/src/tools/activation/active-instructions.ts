import { SkillError } from '../../errors/skill-error.ts';
import { skillInForce } from '../../policy/skill-in-force.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { readLoadedSkill } from './read-loaded-skill.ts';
import { renderSkill } from './render-skill.ts';

/**
 * The bodies of loaded skills that stand in the system prompt, in the order of loading; empty where none does. A skill that is gone or denied since is left out.
 */
export async function activeInstructions(environment: ToolEnvironment, state: SkillState, signal?: AbortSignal): Promise<string> {
  const texts = await Promise.all(loadedSkillNames(state).map((name) => instructionsOf(environment, state, name, signal)));
  return texts.filter((text) => text !== '').join('\n\n');
}

async function instructionsOf(
  environment: ToolEnvironment,
  state: SkillState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const known = skillInForce(environment.catalog.listed, state, name);
  // Its place is known before it is read, and reading may cost a request.
  if (known === undefined || !environment.surfaceOf(known).body.systemPrompt) return '';
  try {
    const skill = await readLoadedSkill(environment, state, name, signal);
    if (skill === null || !environment.surfaceOf(skill).body.systemPrompt) return '';
    return renderSkill(skill, { arguments: loadedSkill(state, name)?.arguments, fileReader: environment.fileReader });
  } catch (error) {
    if (SkillError.isInstance(error) && error.code === 'permission-denied') return '';
    throw error;
  }
}
