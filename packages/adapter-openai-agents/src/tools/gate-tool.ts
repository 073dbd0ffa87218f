import type { FunctionTool, RunContext } from '@openai/agents-core';
import type { SkillError, SkillQuestion } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { failureText } from '@repertoire/skills-core/internal';
import { inputOf } from '../items/turns-of-items.ts';

/** Judges a call by the state at the start of the current step. */
export interface JudgeCall<TContext> {
  (context: RunContext<TContext>, tool: string, input: unknown, callId?: string): Promise<SkillCallVerdict>;
  /** Remembers that the SDK asks a person, and runs the call only after a yes. */
  expect(context: RunContext<TContext>, question: SkillQuestion, callId: string | undefined): Promise<void>;
  /** Whether the SDK asked exactly this. */
  confirm(context: RunContext<TContext>, question: SkillQuestion, callId: string | undefined): Promise<boolean>;
}

/**
 * A tool of the host that refuses in its own execution while it is closed. Nobody is asked to
 * approve a call that will be refused or that a skill pre-approves. A refusal is returned, not
 * thrown, because the SDK shows the model a fixed sentence instead of a thrown message.
 */
export function gateTool<TContext>(tool: FunctionTool<TContext>, judge: JudgeCall<TContext>): FunctionTool<TContext> {
  return {
    ...tool,
    async needsApproval(context, input, callId) {
      const run = context as RunContext<TContext>;
      const verdict = await judge(run, tool.name, input, callId);
      if (verdict.decision === 'needs-approval') {
        await judge.expect(run, verdict.question, callId);
        return true;
      }
      const { decision } = verdict;
      return decision === 'allowed' && tool.needsApproval(context, input, callId);
    },
    async invoke(context, input, details) {
      const refusal = await refusalOf(judge, context, tool.name, inputOf(input), details?.toolCall?.callId);
      return refusal === null ? tool.invoke(context, input, details) : failureText(refusal);
    },
  };
}

/** Why a call is refused; `null` if it is allowed, or if a person was asked exactly this. */
export async function refusalOf<TContext>(
  judge: JudgeCall<TContext>,
  context: RunContext<TContext>,
  tool: string,
  input: unknown,
  callId: string | undefined,
): Promise<SkillError | null> {
  const verdict = await judge(context, tool, input, callId);
  if (verdict.decision === 'denied') return verdict.error;
  if (verdict.decision !== 'needs-approval') return null;
  return (await judge.confirm(context, verdict.question, callId)) ? null : verdict.error;
}
