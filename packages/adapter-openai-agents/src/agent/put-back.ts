import type { AgentInputItem, CallModelInputFilter } from '@openai/agents-core';
import { hostCallItems } from '../items/host-call-items.ts';
import { turnsOfItems } from '../items/turns-of-items.ts';
import type { OpenAiAgentsSkillsOptions } from '../openai-agents-skills-options.ts';
import type { AgentBinding } from './bind-agent.ts';

/**
 * Inserts instructions again before each model call. It is a view: the same items always get the
 * same insertions at the same positions.
 */
export function putBackFilter<TContext, Context>(
  bindingOf: (agent: object) => AgentBinding<TContext> | undefined,
  { state, reattach }: Pick<OpenAiAgentsSkillsOptions<TContext, Context>, 'state' | 'reattach'>,
  loadTool: string,
): CallModelInputFilter {
  return async ({ modelData, agent, context }) => {
    const binding = bindingOf(agent);
    if (binding === undefined) return modelData;
    const given = context as TContext;
    const session = await binding.enter(given);
    let items = modelData.input;
    if (reattach !== false || session.refreshes) {
      const turns = turnsOfItems(items, (text) => session.lengthOf(text));
      const room = reattach === false ? { lost: false } : reattach;
      const back = await session.putBack(turns, { ...room, kept: state?.(given).current });
      const before = (index: number): AgentInputItem[] =>
        back
          .filter((skill) => skill.before === index)
          .flatMap(({ toolCallId, input, text }) => hostCallItems({ callId: toolCallId, tool: loadTool, input: { ...input }, text }));
      items = [...items.flatMap((item, index) => [...before(index), item]), ...before(items.length)];
    }
    const run = binding.runs.runWith(given);
    if (run !== undefined) binding.runs.beginStep(run, session, items);
    return { ...modelData, input: items };
  };
}
