import type { FunctionTool, RunContext } from '@openai/agents-core';
import type { SkillError } from '@repertoire/skills-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { failureText } from '@repertoire/skills-core/adapter';
import { inputOf } from '../items/turns-of-items.ts';

/** Judges a call by the state at the start of the current step. */
export interface JudgeCall<TContext> {
  (context: RunContext<TContext>, tool: string, input: unknown, callId?: string): Promise<SkillCallVerdict>;
  /** Records that a person is asked about a call. */
  ask(context: RunContext<TContext>, tool: string, input: unknown, callId: string | undefined): Promise<void>;
  /** Why a call is refused that was asked about; `null` if it was answered. */
  settle(
    verdict: NeedsApproval,
    context: RunContext<TContext>,
    tool: string,
    input: unknown,
    callId: string | undefined,
  ): Promise<SkillError | null>;
}

type NeedsApproval = Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>;

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
      if (verdict.decision === 'needs-approval') return await asksPerson(judge, verdict, run, tool.name, input, callId);
      const { decision } = verdict;
      return decision === 'allowed' && tool.needsApproval(context, input, callId);
    },
    async invoke(context, input, details) {
      const refusal = await refusalOf(judge, context, tool.name, inputOf(input), details?.toolCall?.callId);
      return refusal === null ? tool.invoke(context, input, details) : failureText(refusal);
    },
  };
}

/**
 * Whether the SDK is to ask a person. It asks this again when it has an answer: then nothing is
 * recorded, because what was not asked cannot be answered.
 */
export async function asksPerson<TContext>(
  judge: JudgeCall<TContext>,
  { question }: NeedsApproval,
  context: RunContext<TContext>,
  tool: string,
  input: unknown,
  callId: string | undefined,
): Promise<boolean> {
  if (question.whom === 'staff') return false;
  const isAnswered = callId !== undefined && context.isToolApproved({ toolName: tool, callId }) !== undefined;
  if (!isAnswered) await judge.ask(context, tool, input, callId);
  return true;
}

/** Why a call is refused; `null` if it is allowed, or if it was asked about and answered. */
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
  return await judge.settle(verdict, context, tool, input, callId);
}
