/** Removes characters at the end in linear time, which `/[ ]+$/` does not. */
export function trimEndWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isTrimmed(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at both ends. */
export function trimWhere(text: string, isTrimmed: (character: string) => boolean): string {
  let start = 0;
  while (start < text.length && isTrimmed(text.charAt(start))) start += 1;
  return trimEndWhere(text.slice(start), isTrimmed);
}
