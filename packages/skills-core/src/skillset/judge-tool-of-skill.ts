import { sourceFailed } from '../errors/source-failed.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import { denied, type SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import type { SkillState } from '../state/skill-state.ts';
import type { Skillset } from './create-skillset.ts';
import type { SkillSession } from './skill-session.ts';

/** A tool call to judge. */
export interface JudgedCall extends AllowedToolCall {
  /**
   * The skill that toolsOfSkills the tool, which is then gated. @default the host handed it over
   */
  readonly ofSkill?: string | undefined;
}

/** Judges a call. If skills cannot be read, gated tools and tools of skills stay closed. */
export async function judgeToolOfSkill(
  skillset: Pick<Skillset, 'judgeCallOffline'>,
  enter: () => Promise<SkillSession>,
  { ofSkill, ...call }: JudgedCall,
  { state, canFork, signal }: { readonly state: SkillState; readonly canFork: boolean; readonly signal?: AbortSignal | undefined },
): Promise<SkillCallVerdict> {
  try {
    const session = await enter();
    const judging = ofSkill === undefined ? session : session.withToolsOfSkills(new Map([[ofSkill, [call.tool]]]));
    return await judging.judgeCall(state, call, { canFork });
  } catch (thrown) {
    signal?.throwIfAborted();
    if (ofSkill === undefined) return skillset.judgeCallOffline(state, call.tool, thrown);
    const error = sourceFailed(thrown);
    return denied(error.message, error);
  }
}
