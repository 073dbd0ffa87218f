import { ToolMessage } from '@langchain/core/messages';
import { isGraphBubbleUp, type Command } from '@langchain/langgraph';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { SkillError } from '@repertoire/skills-core';
import { failureText } from '@repertoire/skills-core/adapter';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { isGuarded } from '../tools/gate-tool.ts';
import { refusalUnlessApproved } from '../tools/refuse-call.ts';
import { withoutSkillState } from './sub-agent-state.ts';

interface ToolCallRequest {
  readonly toolCall: { readonly id?: string | undefined; readonly name: string; readonly args: unknown };
  readonly tool: unknown;
  readonly state: unknown;
  readonly runtime: unknown;
}

/**
 * Judges every tool call before it runs, whoever handed the tool to the agent. It also runs the
 * tools of skills, which the agent does not know.
 *
 * Any `wrapToolCall`, even a pass-through, makes tool errors end the run. So errors are answered
 * here as the agent itself answers them without one.
 */
export function wrapToolCall<Context>(binding: SkillsBinding<Context>) {
  const skillTools = Object.values(binding.skillset.toolNames);
  return async <Request extends ToolCallRequest>(
    request: Request,
    handler: (request: Request) => ToolMessage | Command | Promise<ToolMessage | Command>,
  ): Promise<ToolMessage | Command> => {
    const { toolCall, state } = request;
    const { id = '', name, args } = toolCall;
    const answer = (content: string) => new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
    const run = runOf(request.runtime);
    try {
      if (skillTools.includes(name)) return await handler(request);
      const call = { tool: name, input: args, id };
      if (request.tool === undefined && binding.toolsOfSkills.any) {
        const own = await toolOfSkill(binding, call, request);
        if (typeof own === 'string') return answer(own);
        if (own !== undefined) return await handler({ ...request, tool: own });
      }
      const verdict = await binding.judge(call, state, run);
      if (verdict.decision === 'denied') return answer(failureText(verdict.error));
      if (verdict.decision === 'needs-approval' && !isGuarded(request.tool)) {
        const refusal = await refusalUnlessApproved(binding, verdict, { state, run, call });
        if (refusal !== null) return answer(refusal);
      }
      return withoutSkillState(await handler(request), binding.channels);
    } catch (error) {
      if (run.signal?.aborted === true) await binding.close(state, run);
      run.signal?.throwIfAborted();
      // Interrupts, and errors of other middleware, which belong to the host.
      if (isGraphBubbleUp(error) || brandOf(error) === 'MiddlewareError') throw error;
      if (brandOf(error) === 'ToolInvocationError') return answer(wrongArgumentsText(name, args, error));
      return answer(SkillError.isInstance(error) ? failureText(error) : `${String(error)}\n Please fix your mistakes.`);
    }
  };
}

function brandOf(error: unknown): unknown {
  return error instanceof Error && '~brand' in error ? error['~brand'] : undefined;
}

/** The agent's own text, without the stack that it appends, which contains paths of the server. */
function wrongArgumentsText(name: string, args: unknown, error: unknown): string {
  const { toolError } = error as { readonly toolError?: unknown };
  const why = toolError instanceof Error ? `${toolError.name}: ${toolError.message}` : String(toolError);
  return `Error invoking tool '${name}' with kwargs ${JSON.stringify(args)} with error: ${why}\n Please fix the error and try again.`;
}

/** The tool of a loaded skill, or why it is closed; `undefined` if there is none. */
async function toolOfSkill<Context>(
  binding: SkillsBinding<Context>,
  call: { readonly tool: string; readonly input: unknown; readonly id: string },
  { state, runtime }: ToolCallRequest,
): Promise<StructuredToolInterface | string | undefined> {
  const run = runOf(runtime);
  try {
    const conversation = await binding.enter(state, run);
    const { loadedTools } = conversation;
    const reasons = new Map<string, string>();
    const opened = await conversation.toolsOfSkills((skill, error) => reasons.set(skill, failureText(error)));
    const found = [...opened].flatMap(([skill, tools]) => tools.flatMap((tool) => (tool.name === call.tool ? [{ skill, tool }] : [])))[0];
    if (found !== undefined) {
      const verdict = await binding.judge({ ...call, ofSkill: found.skill }, state, run);
      if (verdict.decision === 'denied') return failureText(verdict.error);
      const refusal = verdict.decision === 'needs-approval' ? await refusalUnlessApproved(binding, verdict, { state, run, call }) : null;
      return refusal ?? found.tool;
    }
    const owner = Object.entries(loadedTools).find(([, names]) => names?.includes(call.tool))?.[0];
    return owner === undefined ? undefined : reasons.get(owner);
  } catch (error) {
    run.signal?.throwIfAborted();
    if (isGraphBubbleUp(error)) throw error;
    return failureText(error);
  }
}
