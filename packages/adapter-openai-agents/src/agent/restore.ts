import type { AgentInputItem, CallModelInputFilter } from '@openai/agents-core';
import type { SkillEvent } from '@repertoire/skills-core';
import { restoreSkills, recordSkillEvents, renewSkills, lengthOfTurns, stateOfTurns, withInserted } from '@repertoire/skills-core/adapter';
import { type RestoredSkill } from '@repertoire/skills-core/internal';
import { hostCallItems } from '../items/host-call-items.ts';
import { turnsOfItems } from '../items/turns-of-items.ts';
import type { OpenAiAgentsSkillsOptions } from '../openai-agents-skills-options.ts';
import type { AgentBinding } from './bind-agent.ts';

/**
 * Inserts instructions again before each model call, and renewed ones at the end. It is a view: the
 * same items always get the same insertions at the same positions. A saved state records them, so
 * that their texts are known as given.
 */
export function restoreFilter<TContext, Context>(
  bindingOf: (agent: object) => AgentBinding<TContext> | undefined,
  { state, restore }: Pick<OpenAiAgentsSkillsOptions<TContext, Context>, 'state' | 'restore'>,
  loadTool: string,
): CallModelInputFilter {
  const itemsOf = ({ toolCallId, input, text }: Pick<RestoredSkill, 'toolCallId' | 'input' | 'text'>): AgentInputItem[] =>
    hostCallItems({ callId: toolCallId, tool: loadTool, input: { ...input }, text });
  return async ({ modelData, agent, context }) => {
    const binding = bindingOf(agent);
    if (binding === undefined) return modelData;
    const given = context as TContext;
    const session = await binding.enter(given);
    const box = state?.(given);
    let items = modelData.input;
    if (restore !== false || session.refreshes) {
      const turns = turnsOfItems(items, session);
      const room = restore === false ? { lost: false } : restore;
      const back = await restoreSkills(session, turns, { ...room, state: box?.current });
      await recordSkillEvents(box, eventsOf(back), session.apply);
      items = withInserted(items, back, itemsOf);
    }
    if (session.renewsChanged) {
      const turns = turnsOfItems(items, session);
      const renewed = await renewSkills(session, stateOfTurns(session, turns, box?.current), { at: lengthOfTurns(turns) });
      await recordSkillEvents(box, eventsOf(renewed), session.apply);
      items = [...items, ...renewed.flatMap((skill) => itemsOf(skill))];
    }
    const run = binding.runs.runWith(given);
    if (run !== undefined) binding.runs.beginStep(run, session, items);
    return { ...modelData, input: items };
  };
}

function eventsOf(skills: readonly Pick<RestoredSkill, 'events'>[]): SkillEvent[] {
  return skills.flatMap(({ events }) => events);
}
