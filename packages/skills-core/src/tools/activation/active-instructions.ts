import { listedVersion } from '../../catalog/listed-versions.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { readLoadedSkill } from './read-loaded-skill.ts';
import { skillTextAgain } from './skill-text.ts';

/**
 * The bodies of loaded skills that stand in the system prompt, in the order of loading; empty if none does. A skill that is gone or denied in
 * the meantime is left out.
 */
export async function activeInstructions(environment: ToolEnvironment, state: SkillState, signal?: AbortSignal): Promise<string> {
  const texts = await Promise.all(loadedSkillNames(state).map((name) => instructionsOf(environment, state, name, signal)));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Whether the body of a loaded skill stands in the system prompt, where nothing cuts it. */
export function standsInPrompt({ catalog, surfaceOf }: ToolEnvironment, state: SkillState, name: string): boolean {
  const version = loadedSkill(state, name)?.version;
  const known = listedVersion(catalog.listed, name, version);
  return known !== undefined && surfaceOf(known).body.systemPrompt;
}

async function instructionsOf(
  environment: ToolEnvironment,
  state: SkillState,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  // Its place is known before it is read, and reading may cost a request.
  if (!standsInPrompt(environment, state, name)) return '';
  try {
    const skill = await readLoadedSkill(environment, state, name, signal);
    if (skill === null || !environment.surfaceOf(skill).body.systemPrompt) return '';
    return await skillTextAgain(environment, skill, loadedSkill(state, name)?.arguments, 'system-prompt', signal);
  } catch (error) {
    if (SkillError.isInstance(error) && error.code === 'permission-denied') return '';
    throw error;
  }
}
