/** The anchor of a heading as GitHub makes it, since the links in `docs` are written for both. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Gives the anchors of one page, in the order of its headings: one that was there before gets a number. */
export function anchorsOfPage(): (heading: string) => string {
  const seen = new Set<string>();
  return (heading) => {
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let count = 1; seen.has(unique); count += 1) unique = `${anchor}-${count}`;
    seen.add(unique);
    return unique;
  };
}
