import { insideElement, oneLine } from '../../prompt/escape.ts';

/** The most patterns that a refusal lists, and the most characters of each. */
const maxPatterns = 20;
const maxPatternCharacters = 80;

/** The refusal of a call, for the model: what is in force, and what to do. */
export function deniedToolText(tool: string, skills: readonly string[], patterns: readonly string[]): string {
  const names = `${skills.length === 1 ? 'the skill' : 'the skills'} ${skills.map((skill) => JSON.stringify(oneLine(skill))).join(' and ')} ${skills.length === 1 ? 'is' : 'are'}`;
  const shown = patterns.slice(0, maxPatterns).map(cut).join(', ');
  const rest = patterns.length - maxPatterns;
  const allowed = patterns.length === 0 ? 'only the skill tools' : `${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
  return `This call of ${cut(tool)} is not allowed while ${names} active. Allowed: ${allowed}. Go on with what is allowed, or ask the user.`;
}

function cut(text: string): string {
  const line = insideElement(oneLine(text));
  return line.length > maxPatternCharacters ? `${line.slice(0, maxPatternCharacters)}…` : line;
}
