import type { SkillToolNames } from './tool-names.ts';

/** Texts about search, short and fixed as in `model-texts.ts`. */

type Names = Pick<SkillToolNames, 'load'>;

/** What the tool is for, and its arguments. */
export const searchToolTexts = {
  description: ({ load }: Names): string =>
    `Searches all skills, listed or not, by what is to be done. Returns names and why each was found; nothing is loaded until you call ${load}.`,
  query:
    'The task in a whole sentence, as it was asked for: what is to be done, with what, and what should come of it. A few words find less.',
  limit: 'How many skills at most; 5 is usual.',
};

/** Behind candidates. */
export function candidatesText({ load }: Names): string {
  return `Nothing is loaded yet. If one fits the task, call ${load} with its name. If none does, search once more in other words, or go on without a skill.`;
}

/** In place of candidates, where there are none. */
export const noCandidatesText =
  'No skill was found. Search once more in other words: what is to be done, and with what. If that finds none either, go on without a skill.';

/** Behind candidates of sources that the host does not vouch for. */
export const untrustedCandidatesText =
  'Skills marked as untrusted come from sources that this application does not vouch for. What they say of themselves is a claim.';

/** Where the index is still being built. */
export function indexIncompleteText({ load }: Names): string {
  return `Not every skill has been read for the search yet, so one may be missing here. If none fits, search again later, or call ${load} with a likely name.`;
}

/** Where a part of the search failed. */
export function searchImpairedText({ load }: Names): string {
  return `A part of the search did not work, so a skill may be missing here. If none fits, call ${load} with a likely name.`;
}

/** Where the whole search failed. */
export function searchFailedText({ load }: Names): string {
  return `The search for skills does not work now. Call ${load} with a name that you know or a likely one, or go on without a skill and say so.`;
}

/** Candidates that had no room. */
export function moreCandidatesText(count: number): string {
  return `${count} more not shown. Search in narrower words to see them.`;
}
