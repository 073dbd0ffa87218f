import { sourceFailed } from '../errors/source-failed.ts';
import { insideElement, oneLine } from './escape.ts';

/** The most characters of one word of a source, and of a whole error, that a model reads. */
const maxWordCharacters = 100;
const maxErrorCharacters = 4_000;

const maxWords = 30;

/**
 * Formats a word of a source (a name, a path, a version) for a sentence that a model reads: on one
 * line, without invisible characters, unable to open or close one of our elements, cut if it is
 * long, and in quotes. Every such word goes through here, those in errors too.
 */
export function quoteWord(word: string): string {
  return JSON.stringify(plainWord(word));
}

/** The same without quotes, for lists. */
export function plainWord(word: string): string {
  // Cutting first bounds the work: what is cut off is never looked at.
  const line = insideElement(oneLine(word.slice(0, maxWordCharacters * 2)));
  return line.length > maxWordCharacters || word.length > maxWordCharacters * 2 ? `${line.slice(0, maxWordCharacters)}…` : line;
}

/** Words of a source as a list, with how many were left out. */
export function listWords(words: readonly string[], max: number = maxWords): string {
  const rest = words.length - max;
  return words.slice(0, max).map(plainWord).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

/** A whole error for a model, whatever it is made of. */
export function errorForModel(text: string): string {
  const whole = insideElement(text.slice(0, maxErrorCharacters));
  return text.length > maxErrorCharacters ? `${whole}…` : whole;
}

/**
 * Returns what a model reads about anything that was thrown, by a source, a server or a hook of the
 * host: `Error (code):` marks it, its length is bounded, and it cannot open or close one of our
 * elements. An error without a code tells no details of the host.
 */
export function failureText(thrown: unknown): string {
  return errorForModel(String(sourceFailed(thrown)));
}
