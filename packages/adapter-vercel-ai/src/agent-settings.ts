import { SkillError } from '@repertoire/skills-core';
import { assertNoReservedToolNames } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import type { PrepareStepFunction, ToolSet } from 'ai';
import type { AiSdkAgentSettings, AiSdkAgentSettingsOptions, AiSdkOwnApproval, AiSdkPrepareStep } from './ai-sdk-skills-options.ts';
import type { SkillsOfCalls } from './skills-of-calls.ts';
import { composePrepareStep } from './step/compose-prepare-step.ts';

const knownSettings: OptionRules<AiSdkAgentSettingsOptions> = {
  instructions: 'string',
  tools: '{}',
  activeTools: 'string[]',
  prepareStep: '()',
  toolApproval: { '()': true, '{}': true },
};

/** Everything that an agent or a call needs. See {@link AiSdkSkills.agentSettings}. */
export function agentSettings<TOOLS extends ToolSet, OTHER extends ToolSet, Context>(
  skills: SkillsOfCalls<TOOLS, Context>,
  settings: AiSdkAgentSettingsOptions<OTHER, TOOLS & NoInfer<OTHER>>,
): AiSdkAgentSettings<TOOLS & NoInfer<OTHER>> {
  assertKnownOptions('agentSettings', settings, knownSettings);
  const { skillset, session, options, tools: given, approvalAbove } = skills.parts;
  const others: ToolSet = settings.tools ?? {};
  const names = Object.keys(others);
  assertNoReservedToolNames(names, skillset.toolNames);
  assertNotTwice(names, given);
  const guarded = skills.guard(others);
  const active: readonly string[] | undefined = settings.activeTools;
  const among = skills.prepareStep([...(options.otherTools ?? []), ...names], active);
  const own = settings.prepareStep as PrepareStepFunction<ToolSet> | undefined;
  const approval = (settings.toolApproval as AiSdkOwnApproval | undefined) ?? approvalAbove?.();
  const instructions = session.instructions(settings.instructions);
  return {
    // Some providers reject an empty system prompt.
    ...(instructions !== '' && { instructions }),
    tools: { ...skills.tools, ...guarded } as TOOLS & NoInfer<OTHER>,
    ...(active !== undefined && { activeTools: skills.activeTools(active) }),
    prepareStep: own === undefined ? among : (composePrepareStep(among, own, skills.skillToolNames) as AiSdkPrepareStep),
    ...((approval !== undefined || skills.hostTools.asksPerson) && { toolApproval: skills.toolApproval(approval) }),
  };
}

/** A second tool of the same name would replace the guarded one. */
function assertNotTwice(names: readonly string[], given: ToolSet): void {
  const twice = names.find((name) => Object.hasOwn(given, name));
  if (twice !== undefined) {
    throw new SkillError(
      'invalid-options',
      `The tool ${JSON.stringify(twice)} was given to aiSdkSkills and to agentSettings. Give it to one of them.`,
    );
  }
}
