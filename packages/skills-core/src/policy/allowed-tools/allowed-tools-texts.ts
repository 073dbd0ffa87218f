import { listWords, plainWord, quoteWord } from '../../prompt/source-words.ts';

const maxPatterns = 20;

/** The refusal of a call, for the model: what is in force, and what to do. */
export function deniedToolText(tool: string, skills: readonly string[], patterns: readonly string[]): string {
  const names = `${skills.length === 1 ? 'the skill' : 'the skills'} ${skills.map(quoteWord).join(' and ')} ${skills.length === 1 ? 'is' : 'are'}`;
  const allowed = patterns.length === 0 ? 'only the skill tools' : listWords(patterns, maxPatterns);
  return `This call of ${plainWord(tool)} is not allowed while ${names} active. Allowed: ${allowed}. Go on with what is allowed, or ask the user.`;
}
