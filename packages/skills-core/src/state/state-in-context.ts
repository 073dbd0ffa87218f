import { loadedSkill, reduceSkillState, type SkillState } from './skill-state.ts';
import { skillStateFromTranscript, type SkillTranscriptEntry, type SkillTranscriptOptions } from './transcript.ts';

/**
 * A kept state, brought in line with what still stands in the context. The state is kept by a server or a checkpoint and is trusted; the transcript is what the model
 * is about to read, and may have been cut, summarized or forged. It adds nothing: it only tells which texts of loaded skills are no longer there, and where the others
 * stand now, where the transcript counts tokens.
 *
 * @example
 * ```ts
 * import { loadedSkill, skillStateInContext, type SkillState, type SkillTranscriptEntry } from '@repertoire/skills-core';
 *
 * export function mustReattach(kept: SkillState, transcript: readonly SkillTranscriptEntry[], name: string): boolean {
 *   return loadedSkill(skillStateInContext(kept, transcript), name)?.inContext === false;
 * }
 * ```
 */
export function skillStateInContext(
  kept: SkillState,
  transcript: readonly SkillTranscriptEntry[],
  options: SkillTranscriptOptions = {},
): SkillState {
  const told = skillStateFromTranscript(transcript, options);
  const gone = Object.entries(kept.loaded).flatMap(([name, { digest }]) => (loadedSkill(told, name)?.digest === digest ? [] : [name]));
  return withPlaces(reduceSkillState(kept, { type: 'compacted', names: gone }), told);
}

/** What was cut before a text moved it nearer to the start: a place of before would keep its refresh from ever being due. */
function withPlaces(state: SkillState, told: SkillState): SkillState {
  const moved = Object.entries(state.loaded).flatMap(([name, skill]) => {
    const at = skill.inContext ? loadedSkill(told, name)?.at : undefined;
    return at === undefined || at === skill.at ? [] : [[name, { ...skill, at }] as const];
  });
  return moved.length === 0 ? state : { loaded: { ...state.loaded, ...Object.fromEntries(moved) } };
}
