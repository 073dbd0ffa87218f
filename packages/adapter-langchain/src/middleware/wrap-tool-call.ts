import { ToolMessage } from '@langchain/core/messages';
import { isGraphBubbleUp, type Command } from '@langchain/langgraph';
import { SkillError } from '@repertoire/skills-core';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';

/** What a `wrapToolCall` gets, as far as it is looked at here. */
interface ToolCallRequest {
  readonly toolCall: { readonly id?: string | undefined; readonly name: string; readonly args: unknown };
  readonly tool: unknown;
  readonly state: unknown;
  readonly runtime: unknown;
}

/**
 * Judges every call of a tool before it runs, whoever handed the tool to the agent, and runs the tools that skills brought, which the agent
 * does not know by itself.
 *
 * A `wrapToolCall`, even one that only passes on, makes errors of tools end the run. So errors are answered here as the agent itself answers
 * them without one.
 */
export function wrapToolCall<Context>(binding: SkillsBinding<Context>) {
  const skillTools = Object.values(binding.skillset.toolNames);
  return async <Request extends ToolCallRequest>(
    request: Request,
    handler: (request: Request) => ToolMessage | Command | Promise<ToolMessage | Command>,
  ): Promise<ToolMessage | Command> => {
    const { id = '', name, args } = request.toolCall;
    const answer = (content: string) => new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
    if (skillTools.includes(name)) return handler(request);
    const run = runOf(request.runtime);
    try {
      const brought = request.tool === undefined && binding.brought.any ? await broughtTool(binding, name, request) : undefined;
      if (typeof brought === 'string') return answer(brought);
      if (brought === undefined) {
        const verdict = await binding.judge({ tool: name, input: args }, request.state, run);
        if (verdict.decision === 'denied') return answer(String(verdict.error));
      }
      return await handler(brought === undefined ? request : { ...request, tool: brought });
    } catch (error) {
      run.signal?.throwIfAborted();
      // The agent words these itself, or they are no errors.
      if (isGraphBubbleUp(error) || (error instanceof Error && error.name === 'ToolInvocationError')) throw error;
      return answer(SkillError.isInstance(error) ? String(error) : `${String(error)}\n Please fix your mistakes.`);
    }
  };
}

/** The tool of that name that a loaded skill brought, why it is not there, or `undefined` if no skill brings it. */
async function broughtTool<Context>(binding: SkillsBinding<Context>, name: string, { state, runtime }: ToolCallRequest) {
  const run = runOf(runtime);
  const { loaded, loadedTools } = binding.read(state);
  const session = await binding.open(state, run);
  const reasons = new Map<string, string>();
  const tools = await binding.brought.of(session, loaded, { state, run, loadedTools }, (skill, error) => reasons.set(skill, textOf(error)));
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const owner = Object.entries(loadedTools).find(([, names]) => names?.includes(name))?.[0];
  return owner === undefined ? undefined : reasons.get(owner);
}

function textOf(error: unknown): string {
  return `Error: ${error instanceof Error ? error.message : String(error)}`;
}
