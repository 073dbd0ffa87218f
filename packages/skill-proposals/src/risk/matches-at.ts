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
