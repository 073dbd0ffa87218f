import { concatBytes } from './concat-bytes.ts';
import { Pace } from './pace.ts';

/** About three milliseconds of writing. */
const bytesPerSlice = 524_288;

/**
 * A JSON object with a long list in it, as UTF-8. It is what `JSON.stringify` would write, entry by
 * entry: the index of ten thousand skills has megabytes, and would keep the event loop if it were
 * written at once.
 *
 * @param before fields before the list
 * @param key the field of the list
 * @param after fields behind the list. @default none
 */
export async function jsonWithList(
  before: object,
  key: string,
  list: readonly object[],
  after: object = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pace = new Pace(bytesPerSlice);
  const encoder = new TextEncoder();
  const head = fieldsOf(before);
  const tail = fieldsOf(after);
  const parts = [encoder.encode(`{${head}${head === '' ? '' : ','}${JSON.stringify(key)}:[`)];
  for (const [index, entry] of list.entries()) {
    const part = encoder.encode(`${index === 0 ? '' : ','}${JSON.stringify(entry)}`);
    parts.push(part);
    await pace.spend(part.length);
  }
  parts.push(encoder.encode(`]${tail === '' ? '' : ','}${tail}}`));
  return concatBytes(parts);
}

function fieldsOf(value: object): string {
  return JSON.stringify(value).slice(1, -1);
}
