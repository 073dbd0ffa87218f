/** What the model reads when the workflow is done. */
export function resultText(output: unknown, maxCharacters: number): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}\n[The output is cut: ${maxCharacters} of ${text.length} characters.]`;
}

/** What the model reads when a step failed. */
export function failureText(error: string, finished: readonly string[]): string {
  const done = finished.length === 0 ? 'No step finished.' : `Steps that finished: ${finished.join(', ')}.`;
  return `${error} ${done} Do not call it again unless the cause is gone; tell the user what failed.`;
}
