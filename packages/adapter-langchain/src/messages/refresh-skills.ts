import type { BaseMessage } from '@langchain/core/messages';
import type { SkillCatalog, Skillset, SkillState } from '@repertoire/skills-core';
import { loadedSkillsUpdate } from '../state/skill-state-of.ts';
import type { LoadedSkills } from '../state/skills-state.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { callMessages } from './skill-messages.ts';

/** Repeats the instructions that are due by the skillset's refresh policy: messages for the end of the conversation, with the state that goes with them. */
export async function refreshSkills<Context>(
  skillset: Skillset<Context>,
  catalog: SkillCatalog<Context>,
  skills: SkillState,
  messages: readonly BaseMessage[],
  signal?: AbortSignal,
): Promise<{ readonly messages: BaseMessage[]; readonly loaded_skills: LoadedSkills } | null> {
  const now = estimateTokens(messages);
  const names = skillset.dueForRefresh(catalog, skills, now);
  if (names.length === 0) return null;
  const repeated = await skillset.reattachSkills(catalog, skills, { names, signal });
  const tool = skillset.toolNames.load;
  // From here on the clock starts anew.
  const events = repeated.events.map((event) => (event.type === 'loaded' ? { ...event, at: now } : event));
  return {
    messages: repeated.skills.flatMap(({ input, text }, index) =>
      callMessages({ tool, input: { ...input }, text, events: events.slice(index, index + 1) }, `refreshed-${now}`),
    ),
    loaded_skills: loadedSkillsUpdate(skills, events),
  };
}
