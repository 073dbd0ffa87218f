/**
 * What `matchAll` of a sticky pattern would find without `y`, if it can match nowhere but at these
 * places.
 */
export function* matchesAt(form: RegExp, text: string, places: readonly number[]): Generator<RegExpExecArray> {
  let end = 0;
  for (const at of places) {
    if (at < end) continue;
    form.lastIndex = at;
    const match = form.exec(text);
    if (match === null) continue;
    end = at + match[0].length;
    yield match;
  }
}

/**
 * What `matchAll` finds, by the form itself: a copy of it for each call takes longer than most
 * texts.
 */
export function* matchesOf(form: RegExp, text: string): Generator<RegExpExecArray> {
  let end = 0;
  for (;;) {
    form.lastIndex = end;
    const match = form.exec(text);
    if (match === null) return;
    end = match.index + Math.max(1, match[0].length);
    yield match;
  }
}
