import { nearNames } from '@repertoire/skills-core/internal';

const maxQuoted = 80;
const maxListed = 12;

/** A value of the file for messages: on one line and short. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text;
}

/** The hint for an unknown name: the nearest known name, or a list of the known ones. */
export function didYouMean(written: string, known: readonly string[], most: number = maxListed): string {
  const [nearest] = nearNames(written, known);
  if (nearest !== undefined) return `Did you mean ${quote(nearest)}?`;
  if (known.length === 0) return 'None is declared.';
  const shown = known.slice(0, most).map(quote).join(', ');
  return `Known: ${shown}${known.length > most ? `, and ${known.length - most} more` : ''}.`;
}
