/**
 * Whether a sequence fits a pattern in which stars stand for any run of items, also an empty one.
 * Takes time by the product of the lengths at worst: a pattern comes from a skill, so it must not
 * be able to hang the host as a regular expression could.
 */
export function matchSequence<Item, Text>(
  pattern: ArrayLike<Item>,
  text: ArrayLike<Text>,
  isStar: (item: Item) => boolean,
  fits: (item: Item, text: Text) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let index = 0;
  while (index < text.length) {
    const item = pattern[at] as Item;
    if (at < pattern.length && isStar(item)) {
      star = at;
      resume = index;
      at += 1;
    } else if (at < pattern.length && fits(item, text[index] as Text)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      // The last star takes one more; earlier ones never need to.
      resume += 1;
      index = resume;
      at = star + 1;
    } else {
      return false;
    }
  }
  while (at < pattern.length && isStar(pattern[at] as Item)) at += 1;
  return at === pattern.length;
}

/** Whether a text matches a pattern with `*`. Everything else is literal; case counts. */
export function matchWildcard(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  return matchSequence(
    pattern,
    text,
    (item) => item === '*',
    (item, character) => item === character,
  );
}
