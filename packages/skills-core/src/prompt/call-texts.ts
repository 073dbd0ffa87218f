import { quoteWord } from './source-words.ts';

/** The result of a call that began, and of which nobody knows how it ended. */
export function unknownOutcomeText(tool: string): string {
  return `${unknownOutcomeStart} ${quoteWord(tool)} was called, and the connection was lost before it answered. It may or may not have happened. Do not call it again for the same purpose: tell the user, find out by other means, or ask.`;
}

/** What {@link unknownOutcomeText} begins with, so that pages can tell such a call. */
export const unknownOutcomeStart = 'The outcome of this call is unknown.';

/** The result of a call that the model made and that was surely not run. */
export function notRunText(tool: string): string {
  return `${quoteWord(tool)} was not run: the answer ended before. Call it again if it is still wanted.`;
}

/** The result of a call that a person was asked about, who wrote something else. */
export function notAnsweredText(tool: string): string {
  return `${quoteWord(tool)} was not run: nobody approved it before the user wrote again. Call it again if it is still wanted.`;
}

/** The result of a call whose question was not asked by this server. */
export function notAskedText(tool: string): string {
  return `${quoteWord(tool)} was not run: its question was not asked by this server, or too long ago. Call it again to ask.`;
}

/** The result of a call that would be one question too many. */
export function tooManyQuestionsText(tool: string, most: number): string {
  return `${quoteWord(tool)} was not run: at most ${most} questions wait for the user at once. Call it again when they are answered.`;
}

/** The result of a call that has run already. */
export function ranAlreadyText(tool: string): string {
  return `${quoteWord(tool)} was not run again: this call has run already.`;
}
