const maxQuoted = 80;

/** A value of the file for messages: on one line and short. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text;
}
