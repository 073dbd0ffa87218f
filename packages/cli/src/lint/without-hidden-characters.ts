import { hiddenIn } from '@repertoire/skill-proposals/internal';

/** The text without its hidden characters. */
export function withoutHiddenCharacters(text: string): string {
  let result = '';
  let from = 0;
  for (const { at } of hiddenIn(text)) {
    result += text.slice(from, at);
    from = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }
  return result + text.slice(from);
}
