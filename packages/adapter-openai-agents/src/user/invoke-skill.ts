import { RunContext, type AgentInputItem } from '@openai/agents-core';
import { parseSkillCommand, recordSkillEvents, forkAnswer, lengthOfTurns, stateOfTurns, hostCallId } from '@repertoire/skills-core/adapter';
import { openSession } from '../agent/bind-agent.ts';
import type { SkillsAgents } from '../agent/skills-agents.ts';
import { hostCallItems } from '../items/host-call-items.ts';
import { turnsOfItems } from '../items/turns-of-items.ts';
import type { SkillInvocation } from '../openai-agents-skills-options.ts';

/** Loads a typed `/name arguments`, as items that look like the model's. */
export async function invokeSkill<TContext, Context>(
  agents: SkillsAgents<TContext, Context>,
  text: string,
  before: readonly AgentInputItem[],
  context: TContext,
): Promise<SkillInvocation | null> {
  const command = parseSkillCommand(text);
  if (command === null) return null;
  const { skillset, options } = agents.parts;
  const { load } = skillset.toolNames;
  const session = await openSession(agents.parts, context);
  const box = options.state?.(context);
  const turns = turnsOfItems(before, session);
  const state = stateOfTurns(session, turns, box?.current);
  const result = await session.invoke(text, { state, at: lengthOfTurns(turns), canFork: options.fork !== undefined });
  if (result === null) return null;
  const { fork } = result;
  const answer =
    fork === undefined ? result.text : await forkAnswer(fork.skill, () => agents.runFork(fork, new RunContext(context), undefined));
  await recordSkillEvents(box, result.events, session.apply);
  const input = { ...command };
  const callId = hostCallId(`user-${before.length}`, load, input);
  return { items: hostCallItems({ callId, tool: load, input, text: answer }), text: answer, error: result.error };
}
