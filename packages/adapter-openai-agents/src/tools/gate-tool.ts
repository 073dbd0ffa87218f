import type { FunctionTool, RunContext } from '@openai/agents-core';
import type { SkillCallVerdict } from '@repertoire/skills-core';
import { inputOf } from '../items/turns-of-items.ts';

/** Judges a call by what the present step of a run began with. */
export type JudgeCall<TContext> = (context: RunContext<TContext>, tool: string, input: unknown) => Promise<SkillCallVerdict>;

/**
 * A tool of the host that refuses in its own execution while it is closed. Nobody is asked to approve a call that would be refused, or that
 * a skill has pre-approved. A refusal is an answer: what a tool throws reaches the model as one fixed sentence.
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
