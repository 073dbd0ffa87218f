const maxQuoted = 80;

/** A value of the file as messages show it: on one line, and never long. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text;
}
