import type { Skill } from '../contract/skill-provider.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { ToolEnvironment } from '../tools/tool-environment.ts';
import { renderSkill } from './render-skill.ts';

/**
 * The bodies of loaded skills that stand in the system prompt, in the order of loading; empty where none does. A skill that is gone or denied since is left out.
 */
export async function activeInstructions(environment: ToolEnvironment, state: SkillState, signal?: AbortSignal): Promise<string> {
  const texts = await Promise.all(
    loadedSkillNames(state).map(async (name) => {
      const known = environment.catalog.listed.find((skill) => skill.name === name);
      // Its place is known before it is read, and reading may cost a request.
      if (known === undefined || !environment.surfaceOf(known).body.systemPrompt) return '';
      const { version, arguments: skillArguments } = loadedSkill(state, name) ?? {};
      const skill = await readIfAllowed(environment, known, version, signal);
      if (skill === null || !environment.surfaceOf(skill).body.systemPrompt) return '';
      return renderSkill(skill, { arguments: skillArguments, fileReader: environment.fileReader });
    }),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

async function readIfAllowed(
  environment: ToolEnvironment,
  known: Parameters<ToolEnvironment['assertAllowed']>[1],
  version: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Skill | null> {
  try {
    await environment.assertAllowed('load', known);
  } catch {
    return null;
  }
  return environment.provider.getSkill(known.name, { version, signal });
}
