/**
 * Whether a path fits a glob: `*` and `?` within a name, `**` across folders. A pattern without a
 * slash is about names alone, as in `.gitignore`. Anything else is literal. The work is at most the
 * length of the pattern times that of the path.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const wanted = pattern.replace(/^\//, '').split('/');
  return (path) => {
    const segments = path.split('/');
    return wanted.length === 1 && wanted[0] !== '**' ? fits(wanted[0] ?? '', segments.at(-1) ?? '') : fitsAll(wanted, segments);
  };
}

function fitsAll(wanted: readonly string[], segments: readonly string[]): boolean {
  return matches(wanted, segments, (part) => part === '**', fits);
}

function fits(pattern: string, name: string): boolean {
  return matches(
    [...pattern],
    [...name],
    (character) => character === '*',
    (character, other) => character === '?' || character === other,
  );
}

/** A star stands for any number of items; going back to the last star is enough. */
function matches(
  parts: readonly string[],
  items: readonly string[],
  isStar: (part: string) => boolean,
  fitsOne: (part: string, item: string) => boolean,
): boolean {
  let part = 0;
  let item = 0;
  let star = -1;
  let afterStar = 0;
  while (item < items.length) {
    const current = parts[part];
    if (current !== undefined && isStar(current)) {
      star = part;
      afterStar = item;
      part += 1;
    } else if (current !== undefined && fitsOne(current, items[item] ?? '')) {
      part += 1;
      item += 1;
    } else if (star >= 0) {
      afterStar += 1;
      item = afterStar;
      part = star + 1;
    } else return false;
  }
  return parts.slice(part).every(isStar);
}
