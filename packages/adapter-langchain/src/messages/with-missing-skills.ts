import type { BaseMessage } from '@langchain/core/messages';
import type { SkillCatalog, Skillset, SkillState } from '@repertoire/skills-core';
import type { ReattachOptions } from '@repertoire/skills-core/state';
import { callMessages, insertCalls } from './skill-messages.ts';

/** What is put back, and for whom. */
export interface MissingSkills<Context> {
  readonly skillset: Skillset<Context>;
  readonly catalog: SkillCatalog<Context>;
  readonly skills: SkillState;
  readonly options?: Omit<ReattachOptions, 'names' | 'signal'> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The messages with the instructions of loaded skills whose own were cut, at a place where they stay while the conversation grows. It is a view for one model call: the
 * next summary does not see it, so nothing is summarized twice.
 */
export async function withMissingSkills<Context>(
  messages: readonly BaseMessage[],
  { skillset, catalog, skills, options, signal }: MissingSkills<Context>,
): Promise<BaseMessage[]> {
  const missing = Object.entries(skills.loaded).filter(([, { inContext }]) => !inContext);
  if (missing.length === 0) return [...messages];
  const reattached = await skillset.reattachSkills(catalog, skills, { ...options, signal });
  const tool = skillset.toolNames.load;
  const pairs = reattached.skills.flatMap(({ input, text }, index) =>
    callMessages({ tool, input: { ...input }, text, events: reattached.events.slice(index, index + 1) }, 'reattached'),
  );
  return insertCalls(messages, pairs);
}
