import { Command, isCommand } from '@langchain/langgraph';
import type { ToolMessage } from '@langchain/core/messages';
import type { SkillsRun } from '../binding/skills-run.ts';
import type { SkillsChannels } from '../state/skills-state.ts';

/**
 * Whether a tool of another agent started this run, such as `task` of deepagents, which hands the
 * state of its agent down and the result's state up. A node of a graph that shares the channels on
 * purpose is no such run.
 */
export function isSubAgentRun({ configurable }: SkillsRun): boolean {
  const namespace = configurable['checkpoint_ns'];
  const above = typeof namespace === 'string' ? namespace.split('|').slice(0, -1) : [];
  return above.at(-1)?.startsWith('tools:') ?? configurable['ls_agent_type'] === 'subagent';
}

/** The answer of another tool without changes of skills, unless it hands off to a parent graph. */
export function withoutSkillState(answer: ToolMessage | Command, channels: SkillsChannels): ToolMessage | Command {
  // By its mark, because a sub-agent's package may have a copy of the framework of its own.
  if (!isCommand(answer) || answer.graph !== undefined || answer.update === undefined) return answer;
  const { resume, goto, update } = answer;
  const names = new Set<string>(Object.values(channels));
  return new Command({
    update: Array.isArray(update) ? update.filter(([name]) => !names.has(name)) : withoutChannels(update, channels),
    ...(goto !== undefined && { goto }),
    ...(resume !== undefined && { resume }),
  });
}

/** A state or update without the channels of skills. */
export function withoutChannels(state: Readonly<Record<string, unknown>>, channels: SkillsChannels): Record<string, unknown> {
  const names = new Set<string>(Object.values(channels));
  return Object.fromEntries(Object.entries(state).filter(([name]) => !names.has(name)));
}
