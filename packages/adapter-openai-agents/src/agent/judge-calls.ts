import type { RunContext } from '@openai/agents-core';
import { judgeToolOfSkill, settleCall } from '@repertoire/skills-core/adapter';
import type { JudgeCall } from '../tools/gate-tool.ts';
import type { AgentBinding, AgentBindingParts } from './bind-agent.ts';

/**
 * Judges the calls of an agent by what was loaded when the step began.
 *
 * @param ofSkill the skill that the tool is of. @default it is a tool of the host
 */
export function judgeCalls<TContext, Context>(
  { skillset, fork }: AgentBindingParts<TContext, Context>,
  { runs, enter }: Pick<AgentBinding<TContext>, 'runs' | 'enter'>,
  ofSkill?: string,
): JudgeCall<TContext> {
  const judge = async (context: RunContext<TContext>, tool: string, input: unknown, id?: string) =>
    judgeToolOfSkill(
      skillset,
      () => enter(context.context),
      { tool, input, id, ofSkill },
      { state: runs.atStep(context), canFork: fork !== undefined },
    );
  return Object.assign(judge, {
    async ask(...[context, tool, input, id]: Parameters<JudgeCall<TContext>['ask']>) {
      await (await enter(context.context)).approvals?.ask(runs.atStep(context), { tool, input, id });
    },
    async settle(...[verdict, context, tool, input, id]: Parameters<JudgeCall<TContext>['settle']>) {
      const { approvals, tools } = await enter(context.context);
      const isSkillTool = tools.some(({ name }) => name === tool);
      const isYes = id !== undefined && context.isToolApproved({ toolName: tool, callId: id }) === true;
      return await settleCall(approvals, verdict, { state: runs.atStep(context), call: { tool, input, id }, isSkillTool, isYes });
    },
  });
}
