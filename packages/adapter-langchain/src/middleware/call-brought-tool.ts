import { ToolMessage } from '@langchain/core/messages';
import { isGraphBubbleUp, type Command } from '@langchain/langgraph';
import type { SkillsBinding } from '../binding/bind-skills.ts';
import { runOf } from '../binding/skills-run.ts';
import { readable, keptSkillState } from '../state/skill-state-of.ts';

/** What a `wrapToolCall` gets, as far as it is looked at here. */
interface ToolCallRequest {
  readonly toolCall: { readonly id?: string | undefined; readonly name: string; readonly args: unknown };
  readonly tool: unknown;
  readonly state: unknown;
  readonly runtime: unknown;
}

/**
 * Runs tools that skills brought with them, which the agent does not know by itself. All other calls pass as they are. (A `wrapToolCall`, even one that only passes on,
 * makes errors of other tools end the run; that is why it is there only where skills may bring tools.)
 */
export function callBroughtTool<Context>(binding: SkillsBinding<Context>) {
  return async <Request extends ToolCallRequest>(
    request: Request,
    handler: (request: Request) => ToolMessage | Command | Promise<ToolMessage | Command>,
  ): Promise<ToolMessage | Command> => {
    if (request.tool !== undefined) return handler(request);
    const { id = '', name } = request.toolCall;
    const run = runOf(request.runtime);
    const catalog = await binding.catalogOf(request.state, run);
    const reasons = new Map<string, string>();
    const tools = await binding.brought.of(catalog, keptSkillState(request.state), request.state, run, (skill, error) =>
      reasons.set(skill, textOf(error)),
    );
    const tool = tools.find((candidate) => candidate.name === name);
    const refuse = (content: string) => new ToolMessage({ content, tool_call_id: id, name, status: 'error' });
    if (tool === undefined) {
      const owner = Object.entries(readable(request.state).loaded_tools ?? {}).find(([, names]) => names?.includes(name))?.[0];
      const reason = owner === undefined ? undefined : reasons.get(owner);
      return reason === undefined ? handler(request) : refuse(reason);
    }
    try {
      return await handler({ ...request, tool });
    } catch (error) {
      run.signal?.throwIfAborted();
      if (isGraphBubbleUp(error)) throw error;
      return refuse(textOf(error));
    }
  };
}

function textOf(error: unknown): string {
  return `Error: ${error instanceof Error ? error.message : String(error)}`;
}
