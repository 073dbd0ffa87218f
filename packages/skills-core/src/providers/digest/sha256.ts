/**
 * SHA-256 at once, for platforms without `crypto.hash` of Node: Web Crypto answers later, and a fold
 * cannot wait. It is ours because every bundle carries it: a library takes 2.5 KiB of a skillset for
 * the same, which the tests compare it with.
 */
export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const constants = (roundConstants ??= fractions(64, Math.cbrt));
  const hash = (startValues ??= fractions(8, Math.sqrt)).slice();
  const words = new Int32Array(64);
  const word = (index: number): number => words[index] as number;
  const message = padded(bytes);
  for (let block = 0; block < message.byteLength; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let round = 0; round < 64; round += 1) {
      words[round] =
        round < 16
          ? message.getInt32(block + 4 * round)
          : word(round - 16) +
            (rotated(word(round - 15), 7) ^ rotated(word(round - 15), 18) ^ (word(round - 15) >>> 3)) +
            word(round - 7) +
            (rotated(word(round - 2), 17) ^ rotated(word(round - 2), 19) ^ (word(round - 2) >>> 10));
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const first = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + choice + (constants[round] as number) + word(round)) | 0;
      const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    for (const [index, part] of [a, b, c, d, e, f, g, h].entries()) hash[index] = (hash[index] ?? 0) + part;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, part] of hash.entries()) digest.setInt32(4 * index, part);
  return new Uint8Array(digest.buffer);
}

let startValues: Int32Array | undefined;
let roundConstants: Int32Array | undefined;

/**
 * The first 32 bits behind the point of a root of each of the first primes, which is how the
 * standard defines its constants. A double has 15 bits more than are needed, so every platform
 * computes the same.
 */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

/** The bytes, a one bit, zeros up to whole blocks, and the length in bits. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setUint32(message.length - 8, bytes.length / 2 ** 29);
  view.setUint32(message.length - 4, bytes.length * 8);
  return view;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
