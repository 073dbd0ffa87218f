const maxLength = 80;

/** A value as it stands in a message: as JSON, on one line, and short. */
export function oneLineOf(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
