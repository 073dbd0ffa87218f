import { fieldOf, isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import { nextTurn } from './pace.ts';

/** After so many wrong guesses, the text is parsed as a whole. */
const mostMistakes = 8;

/**
 * What `JSON.parse` gives, of an object with a long list of objects in it. A long list is parsed in
 * slices: the index of ten thousand skills has megabytes, and would keep the event loop if it were
 * parsed at once. Whatever has another shape is parsed as a whole.
 *
 * @param key the field of the list
 * @param perSlice how many characters are parsed at once; 131,072 take about two milliseconds.
 *   @default 131072
 * @throws {SyntaxError} for what is not JSON, as `JSON.parse` does
 */
export async function parseJsonWithList(text: string, key: string, perSlice: number = 131_072): Promise<unknown> {
  const sliced = text.length > perSlice ? await parsedInSlices(text, key, perSlice) : undefined;
  return sliced ?? (JSON.parse(text) as unknown);
}

/** `undefined` where that cannot be done, or is no JSON. */
async function parsedInSlices(text: string, key: string, perSlice: number): Promise<JsonObject | undefined> {
  const quoted = JSON.stringify(key);
  const opening = /[ \t\r\n]*:[ \t\r\n]*\[[ \t\r\n]*/y;
  opening.lastIndex = text.indexOf(quoted) + quoted.length;
  const start = opening.test(text) ? opening.lastIndex : 0;
  // How an entry begins: with the name of its first field.
  const beginning = /\{[ \t\r\n]*"[^"\\]{0,64}"/y;
  beginning.lastIndex = start;
  const [mark] = beginning.exec(text) ?? [];
  if (mark === undefined) return undefined;
  // A list that stands in another object, or in a text, leaves something open here.
  const before = objectWithList(key, (first) => `${text.slice(0, start)}${first}]}`);
  if (before === undefined) return undefined;

  const list: unknown[] = [];
  let from = start;
  let mistakes = 0;
  for (let next = text.indexOf(mark, from + perSlice); next !== -1;) {
    // Closed with an empty entry, it is valid JSON only where the next entry begins.
    const entries = parsed(`[${text.slice(from, next)}{}]`);
    if (Array.isArray(entries)) {
      for (const entry of entries.slice(0, -1)) list.push(entry);
      from = next;
      next = text.indexOf(mark, from + perSlice);
      await nextTurn();
    } else {
      mistakes += 1;
      if (mistakes > mostMistakes) return undefined;
      next = text.indexOf(mark, next + 1);
    }
  }
  const rest = objectWithList(key, (first) => `{${quoted}:[${first},${text.slice(from)}`);
  return rest && { ...before.object, ...rest.object, [key]: [...list, ...rest.list.slice(1)] };
}

/**
 * Parses what `write` returns, and checks that `key` is the list whose first entry it was given.
 * Returns `undefined` otherwise: the entry is in another list, or in an earlier field of the same
 * name, which JSON overrides.
 */
function objectWithList(
  key: string,
  write: (first: number) => string,
): { readonly object: JsonObject; readonly list: readonly unknown[] } | undefined {
  const objects = [0, 1].map((first) => parsed(write(first)));
  const [list, other] = objects.map((object) => (isJsonObject(object) ? fieldOf(object, key) : undefined));
  const isOurs = Array.isArray(list) && Array.isArray(other) && list[0] === 0 && other[0] === 1;
  return isOurs ? { object: objects[0] as JsonObject, list } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
