import type { FunctionTool, RunContext } from '@openai/agents-core';
import type { SkillCallVerdict } from '@repertoire/skills-core/adapter';
import { inputOf } from '../items/turns-of-items.ts';

/** Judges a call by the state at the start of the current step. */
export type JudgeCall<TContext> = (context: RunContext<TContext>, tool: string, input: unknown) => Promise<SkillCallVerdict>;

/**
 * A tool of the host that refuses in its own execution while it is closed. Nobody is asked to
 * approve a call that will be refused or that a skill pre-approves. A refusal is returned, not
 * thrown, because the SDK shows the model a fixed sentence instead of a thrown message.
 */
export function gateTool<TContext>(tool: FunctionTool<TContext>, judge: JudgeCall<TContext>): FunctionTool<TContext> {
  return {
    ...tool,
    async needsApproval(context, input, callId) {
      const { decision } = await judge(context as RunContext<TContext>, tool.name, input);
      return decision === 'allowed' && tool.needsApproval(context, input, callId);
    },
    async invoke(context, input, details) {
      const verdict = await judge(context, tool.name, inputOf(input));
      return verdict.decision === 'denied' ? String(verdict.error) : tool.invoke(context, input, details);
    },
  };
}
