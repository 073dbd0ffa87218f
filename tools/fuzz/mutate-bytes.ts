import type { Random } from './random.ts';

/** What changes are made of. */
export interface Mutation {
  readonly random: Random;
  /** Pieces that mean something in the format, as bytes. */
  readonly words: readonly Uint8Array[];
  /** Another input, to take a part of. */
  readonly other: Uint8Array;
  readonly maxBytes: number;
}

const empty = new Uint8Array(0);
/** Bytes and text at which readers go wrong. */
const oddities: readonly Uint8Array[] = [
  '\0',
  '\r',
  '\u{feff}',
  '\u{200b}',
  '\u{2028}',
  '\u{e0041}',
  '\u{1f600}',
  'é',
  '٣',
  '＿',
  '__proto__',
].map((text) => new TextEncoder().encode(text));

/** Changes an input in one to four places. */
export function mutateBytes(input: Uint8Array, mutation: Mutation): Uint8Array {
  const { random, maxBytes } = mutation;
  let bytes = input;
  for (let left = 1 + random.below(4); left > 0; left -= 1) bytes = changeOnce(bytes, mutation);
  return bytes.subarray(0, maxBytes);
}

/** Repeats a short piece of an input until it is as long as it may be: what costs more than its length shows itself so. */
export function stretchBytes(input: Uint8Array, { random, words, maxBytes }: Mutation): Uint8Array {
  const at = random.below(input.length + 1);
  const piece = random.below(3) === 0 && words.length > 0 ? random.pick(words) : input.subarray(at, at + 1 + random.below(12));
  const length = Math.max(1, piece.length);
  const times = Math.floor((maxBytes - input.length) / length);
  return times <= 0 ? input : join(input.subarray(0, at), repeated(piece, times), input.subarray(at));
}

function changeOnce(bytes: Uint8Array, { random, words, other }: Mutation): Uint8Array {
  const from = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, from + random.below(random.below(8) === 0 ? 256 : 16));
  const head = bytes.subarray(0, from);
  switch (random.below(8)) {
    case 0:
    case 1:
      return join(head, words.length > 0 ? random.pick(words) : empty, bytes.subarray(random.below(2) === 0 ? from : to));
    case 2:
      return join(head, bytes.subarray(to));
    case 3:
      return join(head, Uint8Array.of(random.below(random.below(4) === 0 ? 256 : 128)), bytes.subarray(from + 1));
    case 4:
      return join(
        bytes.subarray(0, to),
        repeated(bytes.subarray(from, to), random.below(8) === 0 ? random.below(400) : random.below(8)),
        bytes.subarray(to),
      );
    case 5:
      return join(head, other.subarray(random.below(2) === 0 ? from : random.below(other.length + 1)));
    case 6:
      return join(head, random.pick(oddities), bytes.subarray(from));
    default: {
      // A piece moves to another place.
      const rest = join(head, bytes.subarray(to));
      const at = random.below(rest.length + 1);
      return join(rest.subarray(0, at), bytes.subarray(from, to), rest.subarray(at));
    }
  }
}

function repeated(piece: Uint8Array, times: number): Uint8Array {
  const bytes = new Uint8Array(piece.length * times);
  for (let index = 0; index < times; index += 1) bytes.set(piece, index * piece.length);
  return bytes;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
