import type { RunContext } from '@openai/agents-core';
import type { SkillSession } from '@repertoire/skills-core';
import { judgeBrought } from '@repertoire/skills-core/internal';
import type { JudgeCall } from '../tools/gate-tool.ts';
import type { AgentBinding, AgentBindingParts } from './bind-agent.ts';

/**
 * Judges the calls of an agent by what was loaded when the step began.
 *
 * @param broughtBy the skill that brought the tool. @default it is a tool of the host
 */
export function judgeCalls<TContext, Context>(
  { skillset, fork }: AgentBindingParts<TContext, Context>,
  { runs, enter }: Pick<AgentBinding<TContext>, 'runs' | 'enter'>,
  broughtBy?: string,
): JudgeCall<TContext> {
  const approvalsOf = async ({ context }: RunContext<TContext>): Promise<SkillSession['approvals']> => (await enter(context)).approvals;
  const judge = async (context: RunContext<TContext>, tool: string, input: unknown, id?: string) =>
    judgeBrought(
      skillset,
      () => enter(context.context),
      { tool, input, id, broughtBy },
      { state: runs.atStep(context), canFork: fork !== undefined },
    );
  return Object.assign(judge, {
    expect: async (...[context, question, callId]: Parameters<JudgeCall<TContext>['expect']>) =>
      await (await approvalsOf(context))?.expect(question, callId),
    confirm: async (...[context, question, callId]: Parameters<JudgeCall<TContext>['confirm']>) =>
      (await (await approvalsOf(context))?.confirm(question, callId)) === true,
  });
}
