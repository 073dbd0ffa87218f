import { loadedSkill, reduceSkillState, type LoadedSkill, type SkillState } from './skill-state.ts';
import { skillStateFromTranscript, type SkillTranscriptEntry, type SkillTranscriptOptions } from './transcript.ts';

/**
 * Aligns a kept state with what still stands in the context. The kept state comes from a server or a checkpoint and decides what is loaded.
 * The transcript is what the model is about to read; it may have been cut, summarized or forged. It adds nothing: it only shows which texts
 * of loaded skills are still there, which of them are cut, and where they stand now.
 *
 * @example
 * ```ts
 * import type { SkillState } from '@repertoire/skills-core';
 * import { loadedSkill, skillStateInContext, type SkillTranscriptEntry } from '@repertoire/skills-core/adapter';
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
  return alignState(kept, skillStateFromTranscript(transcript, options));
}

/** The kept state, with the places and cuts that the transcript shows. */
export function alignState(kept: SkillState, shown: SkillState): SkillState {
  const gone = Object.entries(kept.loaded).flatMap(([name, entry]) => (stands(entry, loadedSkill(shown, name)) ? [] : [name]));
  const there = Object.entries(kept.loaded).flatMap(([name, entry]) => {
    const found = loadedSkill(shown, name);
    if (!stands(entry, found)) return [];
    const { cut: _cut, ...rest } = entry;
    const now: LoadedSkill = {
      ...rest,
      inContext: true,
      ...(found.cut === true && { cut: true }),
      // What was cut before a text moved it nearer to the start: an old place would keep its refresh from ever being due.
      ...(found.at !== undefined && { at: found.at }),
    };
    return entry.inContext === now.inContext && entry.cut === now.cut && entry.at === now.at ? [] : [[name, now] as const];
  });
  const state = gone.length === 0 ? kept : reduceSkillState(kept, { type: 'compacted', names: gone });
  return there.length === 0 ? state : { loaded: { ...state.loaded, ...Object.fromEntries(there) } };
}

/** Whether what stands in the context is the text of this load, whole or cut. */
function stands(entry: LoadedSkill, found: LoadedSkill | undefined): found is LoadedSkill {
  if (found?.inContext !== true) return false;
  return (
    found.fingerprint === entry.fingerprint || (found.cut === true && found.revision === entry.revision && found.version === entry.version)
  );
}
