import { stemmer } from 'stemmer';

const plainWord = /^[a-z]{3,40}$/;

/** Returns the stem of a word. Words of other alphabets and with digits are their own stem. */
export function stemOf(word: string): string {
  return plainWord.test(word) ? stemmer(word) : word;
}

/** Returns a 32-bit hash of a stem. Among 200,000 stems about five pairs collide. */
export function termHash(stem: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < stem.length; index += 1) hash = Math.imul(hash ^ stem.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** Returns the hash of two neighboring terms. */
export function phraseHash(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ second ^ 0x51ed270b);
}

/** Spreads differences over all bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
