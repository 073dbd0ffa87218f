/**
 * Splits what a person typed behind a skill's name into arguments, as a shell would: blanks
 * separate, `"…"` and `'…'` hold together, a backslash takes the next character as it is (not
 * inside single quotes). A quote that is never closed runs to the end instead of failing.
 */
export function splitArguments(text: string): string[] {
  const found: string[] = [];
  let current: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\' && quote !== "'" && index + 1 < text.length) {
      index += 1;
      current = (current ?? '') + text.charAt(index);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else current = (current ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      current ??= '';
    } else if (/\s/.test(character)) {
      if (current !== undefined) found.push(current);
      current = undefined;
    } else {
      current = (current ?? '') + character;
    }
  }
  if (current !== undefined) found.push(current);
  return found;
}
