import { SkillError } from '../../errors/skill-error.ts';
import { skillAwayText, skillChangedText } from '../../prompt/model-texts.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../../state/skill-state.ts';
import type { ToolEnvironment } from '../tool-environment.ts';
import { readPinnedSkill } from '../pinned/read-pinned-skill.ts';
import { isDenied, notRestored } from './lost-texts.ts';
import { skillTextAgain } from './skill-text.ts';
import { standsInPrompt } from './stands-in-prompt.ts';

/**
 * The bodies of loaded skills that stand in the system prompt, in the order of loading; empty if
 * none does. In place of one that changed, is gone or cannot be read now stands one sentence; one
 * that is denied in the meantime is left out.
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
  // Its place is known before it is read, and reading may cost a request.
  const loaded = loadedSkill(state, name);
  if (loaded === undefined || !standsInPrompt(environment, state, name)) return '';
  try {
    const found = await readPinnedSkill(environment, state, name, signal);
    if ('changed' in found) return skillChangedText(name, found.changed, environment.names);
    if (!environment.surfaceOf(found.skill).body.systemPrompt) return '';
    return await skillTextAgain(environment, { ...found, given: loaded.arguments, revision: loaded.revision, signal }, 'system-prompt');
  } catch (error) {
    signal?.throwIfAborted();
    if (isDenied(error)) return '';
    if (!SkillError.isInstance(error) || error.code !== 'source-unavailable') throw error;
    environment.report(notRestored({ name, reason: 'failed' }));
    return skillAwayText(name);
  }
}
