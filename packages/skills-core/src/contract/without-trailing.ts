/**
 * A text without the characters of one kind that it ends with, in time that grows with their number: a pattern such as `/\/+$/` looks at each run of them anew.
 *
 * @param character one UTF-16 unit
 * @example
 * ```ts
 * import { withoutTrailing } from '@repertoire/skills-core/provider';
 *
 * withoutTrailing('team/skills//', '/'); // 'team/skills'
 * ```
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
