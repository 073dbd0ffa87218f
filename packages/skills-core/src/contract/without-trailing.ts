/**
 * Removes all trailing occurrences of one character, in linear time: a pattern such as `/\/+$/`
 * scans each run of them again.
 *
 * @param character one UTF-16 unit
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
