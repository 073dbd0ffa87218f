import type { Skillset } from '@repertoire/skills-core';
import { callsOf, type RecordedTool, type Recording } from '../recording/recording.ts';

/**
 * The tools of the host in a conversation: those that were recorded with it, or stand-ins for those
 * that were called. A recording seldom says how a tool was described; a stand-in has no
 * description, so the bytes of a request are then right but for it.
 */
export function hostToolsOf({ turns, tools }: Recording, { toolNames }: Pick<Skillset, 'toolNames'>): readonly RecordedTool[] {
  if (tools !== undefined) return tools;
  const own = new Set<string>(Object.values(toolNames));
  const called = new Set(turns.flatMap((turn) => callsOf(turn).map(({ tool }) => tool)));
  return [...called]
    .filter((name) => name !== '' && !own.has(name))
    .map((name) => ({
      name,
      description: 'The recording does not say how this tool was described.',
      inputSchema: { type: 'object', additionalProperties: true },
    }));
}
