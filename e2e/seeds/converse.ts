import {
  createSkillset,
  emptySkillState,
  type OpenRequest,
  type SkillSession,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { openSkillset } from '@repertoire/skills-core/adapter';
import type { SkillToolResult } from '@repertoire/skills-core/adapter';

/** A conversation with the core alone: calls tools as a model would, and keeps the state. */
export interface SeedConversation {
  readonly session: SkillSession;
  readonly toolNames: readonly string[];
  /** What is loaded now. */
  readonly state: SkillState;
  /** Calls a tool and folds what happened. */
  call(tool: string, input?: unknown): Promise<SkillToolResult>;
}

export async function converse<Context = undefined>(
  options: SkillsetOptions<Context>,
  request?: OpenRequest<Context>,
): Promise<SeedConversation> {
  const session = await openSkillset(createSkillset(options), request ?? {});
  const toolNames = session.tools.map(({ name }) => name);
  let state = emptySkillState;
  return {
    session,
    toolNames,
    get state() {
      return state;
    },
    async call(tool, input = {}) {
      const found = session.tools.find(({ name }) => name === tool);
      if (found === undefined) throw new Error(`There is no tool ${tool}, only ${toolNames.join(', ')}.`);
      const result = await found.execute(input, { state });
      state = session.apply(state, result.events);
      return result;
    },
  };
}
