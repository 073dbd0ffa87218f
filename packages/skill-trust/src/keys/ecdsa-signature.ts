import type { Bytes } from '../encoding/bytes.ts';
import { derTag, readChildren, readDer, readUnsignedInteger, writeDer } from '../encoding/der.ts';

/**
 * Converts an ECDSA signature from DER to the form of Web Crypto: the two numbers side by side,
 * padded to the size of the curve.
 *
 * @throws {Refusal} for anything but strict DER
 * @returns `null` if a number is zero or too long
 */
export function ecdsaSignatureFromDer(der: Uint8Array, coordinateBytes: number): Bytes | null {
  const integers = readChildren(readDer(der)).map(readUnsignedInteger);
  if (integers.length !== 2) return null;
  const fixed = new Uint8Array(coordinateBytes * 2);
  for (const [index, integer] of integers.entries()) {
    if (integer.length === 0 || integer.length > coordinateBytes) return null;
    fixed.set(integer, coordinateBytes * (index + 1) - integer.length);
  }
  return fixed;
}

/** Converts two numbers of equal size to DER. */
export function ecdsaSignatureToDer(fixed: Uint8Array): Bytes {
  const half = fixed.length / 2;
  return writeDer(derTag.sequence, [encodeInteger(fixed.subarray(0, half)), encodeInteger(fixed.subarray(half))]);
}

function encodeInteger(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(start === -1 ? bytes.length - 1 : start);
  const padding = (digits[0] ?? 0) >= 0x80 ? [0] : [];
  return writeDer(derTag.integer, [Uint8Array.from(padding), digits]);
}
