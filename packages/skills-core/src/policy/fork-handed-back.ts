import { forkHandedBackText } from '../prompt/model-texts.ts';
import { hashText } from '../providers/digest/hash-text.ts';
import type { SkillEvent } from '../state/skill-state.ts';
import { forkResultText } from './fork-result.ts';

/** The result of a fork that needs a person: the skill as loaded here, why, and what was done. */
export function forkHandedBack<Loaded extends { readonly text: string; readonly events: readonly SkillEvent[] }>(
  loaded: Loaded,
  skill: string,
  reason: string,
): Loaded {
  const [event] = loaded.events.filter(({ type }) => type === 'loaded');
  if (event === undefined) return loaded;
  const text = `${loaded.text}\n${forkResultText(skill, forkHandedBackText(reason))}`;
  const hash = hashText(text);
  // A saved state knows its texts by their hashes.
  const events = loaded.events.map((each) =>
    each.type === 'loaded' && each.texts !== undefined ? { ...each, texts: [...each.texts, hash] } : each,
  );
  return { ...loaded, text, events };
}
