import { listWords, plainWord, quoteWord } from './source-words.ts';

/** Errors of a skill that waits for a person, or that a person refused. */
export const approvalTexts = {
  needed: (tool: string, skills: readonly string[]): string =>
    `${plainWord(tool)} needs the approval of a person, because of ${listWords(skills)}. Ask the user to approve it, or go on without it.`,
  waits: (tool: string, skills: readonly string[]): string =>
    `${plainWord(tool)} waits for the approval of somebody who is not in this conversation, because of ${listWords(skills)}. Tell the user, and end your turn. Call it again when the user comes back.`,
  unknown: 'This question is no longer known. Ask again.',
  refused: (skill: string): string => `A person did not approve skill ${quoteWord(skill)}. Go on without it.`,
  notShown: (skill: string): string => `Skill ${quoteWord(skill)} may not be used here until a person approves it. Load it again to ask.`,
  loadFirst: (skill: string, load: string): string =>
    `Files of skill ${quoteWord(skill)} are read only after it is loaded. Call ${load} first, so that a person can approve it.`,
  staysLoaded: (skill: string): string =>
    `Skill ${quoteWord(skill)} stays active: its instructions are still above, and a person has not approved that tools which execute code follow them. Stop following them.`,
} as const;
