// recheck: it is anchored at the start of a line, and each part is bounded.
const heading = /^[ \t]{0,12}#{1,6}[ \t]+(.{1,300})$/gm;
// recheck: it is anchored at the start of a line, and each part is bounded.
const underlined = /^([^\n]{1,300})\n[ \t]{0,3}(?:=+|-{2,})[ \t]*$/gm;
// recheck: it starts with a fixed text, and each part is bounded.
const named = /(?:\bid|\bname)\s?=\s?["']?([^\s"'>]{1,200})|\{#([^\s}]{1,200})\}/g;

/** Places that a fragment can lead to, for {@link hasAnchor}. Only letters and digits count. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const form of [heading, underlined])
    for (const [, title = ''] of text.matchAll(form))
      // recheck: a title has at most 300 characters.
      anchors.add(folded(title.replace(/\]\([^)]{0,300}\)/g, ']').replace(/<[^>]{1,200}>/g, '')));
  for (const [, id, braced] of text.matchAll(named)) anchors.add(folded(id ?? braced ?? ''));
  return anchors;
}

/** Whether a fragment leads to a place. Repeated titles have a number at the end. */
export function hasAnchor(anchors: ReadonlySet<string>, fragment: string): boolean {
  const wanted = folded(fragment);
  // `#L10` is a line, and `#:~:text=` a search; `#top` is always there.
  if (wanted === '' || wanted === 'top' || /^l\d+(?:l\d+)?$/.test(wanted) || fragment.startsWith(':~:')) return true;
  return anchors.has(wanted) || anchors.has(wanted.replace(/\d{1,2}$/, ''));
}

function folded(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
