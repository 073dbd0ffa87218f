import { quoteWord } from './source-words.ts';

/** The answer to a proposal that waits for a person now. */
export function proposedText(skill: string): string {
  return `The proposal for skill ${quoteWord(skill)} is noted. A person will look at it; until then nothing changes. Go on with your task.`;
}

/** The answer to a change of a skill that the conversation has not loaded. */
export function proposeLoadFirstText(skill: string, load: string): string {
  return `There is a skill ${quoteWord(skill)}, and it is not loaded. To change it, call ${load} first; for a new skill, take another name.`;
}

/** The answer to one proposal too many. */
export function proposedEnoughText(most: number): string {
  const count = most === 1 ? 'One proposal is' : `${most} proposals are`;
  return `${count} all that a conversation may make. Go on without it.`;
}

/** The answer to a text that a person has turned down. */
export function proposedBeforeText(skill: string): string {
  return `This text for skill ${quoteWord(skill)} was proposed before, and a person turned it down. Do not propose it again.`;
}
