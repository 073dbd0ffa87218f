import { allowedToolsDecision, type AllowedToolsDecision, type AllowedToolsPolicy } from './allowed-tools/allowed-tools-decision.ts';
import type { AllowedToolCall, AllowedToolOptions } from './allowed-tools/matches-allowed-tool.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { skillInForce } from './skill-in-force.ts';

/** What a decision about a call of a host's tool rests on, besides the call. */
export interface ToolDecisionRequest {
  readonly listed: readonly SkillMetadata[];
  readonly state: SkillState;
  readonly names: SkillToolNames;
  readonly policy?: AllowedToolsPolicy | undefined;
  readonly neverPreApprove?: readonly string[] | undefined;
  readonly matching?: AllowedToolOptions | undefined;
}

/** What the `allowed-tools` of the loaded skills mean for one call. */
export function toolDecision(
  { listed, state, names, policy, neverPreApprove, matching }: ToolDecisionRequest,
  call: AllowedToolCall,
): AllowedToolsDecision {
  const activeSkills = loadedSkillNames(state).flatMap((name) => skillInForce(listed, state, name) ?? []);
  return allowedToolsDecision({ ...matching, policy, activeSkills, call, skillToolNames: names, neverPreApprove });
}
