const maxLength = 80;

/** Formats a value for a message: as JSON, on one line, and short. */
export function oneLineOf(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Names for people: the first ten, and how many more there are. */
export function listOf(names: Iterable<unknown>): string {
  const all = [...names];
  return all.length === 0 ? 'none' : all.slice(0, 10).join(', ') + (all.length > 10 ? `, and ${all.length - 10} more` : '');
}
