/**
 * How many letters have to be put in, left out or replaced to make one text of the other
 * (Levenshtein). Row by row, which is quick enough for names: a library that is quicker weighs more
 * than all that uses it.
 */
export function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] as number) + Number(one[at] !== other[index]);
      next.push(Math.min(replaced, (row[index + 1] as number) + 1, (next[index] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
