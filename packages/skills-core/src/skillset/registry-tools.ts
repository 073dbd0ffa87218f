import type { SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { SkillTool } from '../tools/skill-tool.ts';
import { createSkillset, type Skillset } from './create-skillset.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** Options of `toTools` of a registry. */
export type SkillRegistryToolsOptions = Pick<SkillsetOptions, 'permissions' | 'onEvent' | 'toolNames' | 'resolveVersion' | 'limits'>;

/** Two tools of a registry. */
export interface SkillRegistryTools {
  /** Lists the skills, without arguments. */
  readonly listSkills: SkillTool | undefined;
  /** Loads a skill by its name. Its description holds no list of skills. */
  readonly loadSkill: SkillTool | undefined;
}

/** The tools of a source that list and load, which look at the source at each call. */
export function registryTools(provider: SkillProvider, options: SkillRegistryToolsOptions): SkillRegistryTools {
  const skillset = createSkillset({ ...options, provider, surface: 'full', surfaceMode: 'system-prompt' });
  return { listSkills: toolOf(skillset, 'list'), loadSkill: toolOf(skillset, 'load') };
}

function toolOf(skillset: Skillset, role: 'list' | 'load'): SkillTool | undefined {
  const description = skillset.toolDescriptions.find((candidate) => candidate.role === role);
  if (description === undefined) return undefined;
  return {
    ...description,
    async execute(input, context) {
      const session = await skillset.open({ signal: context.signal });
      const tool = session.tools.find((candidate) => candidate.role === role);
      if (tool !== undefined) return await tool.execute(input, context);
      const error = new SkillError('skill-not-found', 'There is no skill any more. Go on without one.');
      return { text: String(error), events: [], error };
    },
  };
}
