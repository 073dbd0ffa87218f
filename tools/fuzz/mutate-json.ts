import { mutateBytes, type Mutation } from './mutate-bytes.ts';

type Holder = Record<string | number, unknown>;

/** A place of a document: what holds it, and under which key. */
interface Place {
  readonly holder: Holder;
  readonly key: string | number;
}

/** Values of other kinds, and of other sizes, than anybody expects. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  '__proto__',
  'constructor',
  '../x',
  'https://a.example/',
  [],
  {},
  [[]],
  { a: 1 },
  '\u{d800}',
  '\u{200b}',
];
const maxPlaces = 2_000;

/** Changes one to three values of a JSON document; `undefined` where it is none. */
export function mutateJson(input: Uint8Array, mutation: Mutation): Uint8Array | undefined {
  const root: Holder = { root: parsed(input) };
  if (root['root'] === undefined) return undefined;
  const { random } = mutation;
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const places = placesOf(root);
    changeAt(random.pick(places), places, mutation);
  }
  try {
    return new TextEncoder().encode(JSON.stringify(root['root']) ?? 'null').subarray(0, mutation.maxBytes);
  } catch {
    // Nested deeper than this can write.
    return undefined;
  }
}

function changeAt({ holder, key }: Place, places: readonly Place[], mutation: Mutation): void {
  const { random, words } = mutation;
  const value = holder[key];
  const word = (): string => (words.length > 0 ? new TextDecoder().decode(random.pick(words)) : '');
  switch (random.below(9)) {
    case 0:
      holder[key] = random.pick(values);
      return;
    case 1: {
      const from = random.pick(places);
      holder[key] = structuredClone(from.holder[from.key]);
      return;
    }
    case 2:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (key !== 'root') delete holder[key];
      return;
    case 3:
      if (Array.isArray(value) && value.length > 0)
        value.push(...Array.from({ length: random.below(random.below(6) === 0 ? 300 : 4) }, () => structuredClone(value[0])));
      return;
    case 4:
      if (isHolder(value) && !Array.isArray(value)) value[word()] = random.pick(values);
      return;
    case 5:
      if (!Array.isArray(holder) && key !== 'root') {
        Object.defineProperty(holder, word(), { value, enumerable: true, configurable: true, writable: true });
        if (random.below(2) === 0) delete holder[key];
      }
      return;
    case 6:
      holder[key] = nested(value, random.below(20) === 0 ? 3_000 : random.below(12), random.below(2) === 0);
      return;
    case 7:
      holder[key] = typeof value === 'string' && value.length > 8 ? throughBase64(value, mutation) : word();
      return;
    default:
      holder[key] =
        typeof value === 'string'
          ? new TextDecoder().decode(mutateBytes(new TextEncoder().encode(value), mutation))
          : mutation.random.below(2 ** 31);
  }
}

/** Text that is base64 is changed by the bytes that it stands for. */
function throughBase64(text: string, mutation: Mutation): string {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text
    ? Buffer.from(mutateBytes(bytes, mutation)).toString('base64')
    : text.repeat(1 + mutation.random.below(40));
}

function nested(value: unknown, depth: number, inLists: boolean): unknown {
  let result = value;
  for (let left = depth; left > 0; left -= 1) result = inLists ? [result] : { a: result };
  return result;
}

function placesOf(root: Holder): Place[] {
  const places: Place[] = [];
  const open: Holder[] = [root];
  for (let holder = open.pop(); holder !== undefined && places.length < maxPlaces; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      places.push({ holder, key });
      const value = holder[key];
      if (isHolder(value)) open.push(value);
    }
  }
  return places;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function parsed(input: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input));
  } catch {
    return undefined;
  }
}
