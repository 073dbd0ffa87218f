import type { SkillError } from '../../errors/skill-error.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import type { SkillCallVerdict } from '../../policy/skill-call-verdict.ts';
import type { SkillState } from '../../state/skill-state.ts';
import { unknownQuestion, type SessionApprovals } from './session-approvals.ts';

/** A call that is about to be made, as a framework has it. */
export interface CallToSettle {
  readonly state: SkillState;
  readonly call: AllowedToolCall;
  /** Whether it is a skill tool: that takes its answer itself. */
  readonly isSkillTool: boolean;
  /** Whether the framework asked a person by itself and brings a yes. */
  readonly isYes: boolean;
}

/**
 * Carries a verdict out right before the call: takes the answer, or asks staff. Nobody who chats is
 * asked here, where it is too late for a framework to ask.
 *
 * @returns why the call is refused; `null` if it may be made
 */
export async function settleCall(
  approvals: SessionApprovals | undefined,
  { question, error }: Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>,
  { state, call, isSkillTool, isYes }: CallToSettle,
): Promise<SkillError | null> {
  if (approvals === undefined) return error;
  if (question.whom === 'staff') {
    if (isSkillTool || (await approvals.take(question.id))) return null;
    await approvals.ask(state, call);
    return error;
  }
  if (isYes) return (await approvals.confirm(question.id)) ? null : unknownQuestion();
  return !isSkillTool && (await approvals.take(question.id)) ? null : error;
}
