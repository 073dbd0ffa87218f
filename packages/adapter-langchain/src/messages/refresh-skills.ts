import type { BaseMessage } from '@langchain/core/messages';
import type { SkillCatalog, SkillEvent, Skillset, SkillState } from '@repertoire/skills-core';
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
  const pairs: BaseMessage[] = [];
  const events: SkillEvent[] = [];
  for (const [index, { input, text }] of repeated.skills.entries()) {
    // From here on the clock starts anew, for each where it stands.
    const at = estimateTokens([...messages, ...pairs]);
    const own = repeated.events.slice(index, index + 1).map((event) => (event.type === 'loaded' ? { ...event, at } : event));
    pairs.push(...callMessages({ tool, input: { ...input }, text, events: own }, `refreshed-${now}`));
    events.push(...own);
  }
  return { messages: pairs, loaded_skills: loadedSkillsUpdate(skills, events) };
}
