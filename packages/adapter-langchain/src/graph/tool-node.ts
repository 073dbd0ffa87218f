import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { assertNoOtherSkillTools, closingIfFailed, type BoundTools } from '../binding/bound-tools.ts';
import { runOf, type SkillsRun } from '../binding/skills-run.ts';
import { gateTool } from '../tools/gate-tool.ts';
import type { SkillsNodeUpdate } from './node-update.ts';
import type { SkillsState } from './skills-graph-state.ts';

/** The node that runs tool calls. See {@link LangGraphSkills.toolNode}. */
export function toolNode<Context>(
  bound: BoundTools<Context>,
  tools: readonly StructuredToolInterface[],
): (state: SkillsState, config: RunnableConfig) => Promise<SkillsNodeUpdate> {
  const { binding, refuse } = bound;
  assertNoOtherSkillTools(bound, tools);
  const known = [...bound.skillTools, ...bound.hostTools, ...tools.map((tool) => gateTool(tool, refuse))];
  const names = new Set(known.map(({ name }) => name));
  return async (state, config) => {
    const run = runOf(config);
    const added =
      binding.toolsOfSkills.any && calledNames(binding.read(state).messages, state).some((name) => !names.has(name))
        ? await toolsOfSkillsNow(bound, state, run)
        : [];
    return closingIfFailed(
      binding,
      state,
      run,
      // After commands, the tool node returns commands, which its type does not say.
      async () => (await new ToolNode([...known, ...added]).invoke(state, config)) as SkillsNodeUpdate,
    );
  };
}

/** The tools that a tool node is about to run: of the last answer, or the call sent to it. */
function calledNames(messages: readonly BaseMessage[], state: object): string[] {
  const sent = (state as { readonly lg_tool_call?: { readonly name: string } }).lg_tool_call;
  if (sent !== undefined) return [sent.name];
  return messages.findLast((message) => AIMessage.isInstance(message))?.tool_calls?.map(({ name }) => name) ?? [];
}

/** If skills cannot be read, calls of these tools are answered like unknown tools. */
async function toolsOfSkillsNow<Context>(
  { binding, refuse }: BoundTools<Context>,
  state: unknown,
  run: SkillsRun,
): Promise<readonly StructuredToolInterface[]> {
  try {
    const conversation = await binding.enter(state, run);
    return [...(await conversation.toolsOfSkills())].flatMap(([skill, tools]) => tools.map((tool) => gateTool(tool, refuse, skill)));
  } catch {
    run.signal?.throwIfAborted();
    return [];
  }
}
