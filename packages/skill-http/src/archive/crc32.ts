/** The effect of a byte on the checksum, alone and followed by one to three zero bytes. */
const [alone, withOne, withTwo, withThree] = /* @__PURE__ */ sumTables();

function sumTables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = new Int32Array(256).map((_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  const shifted = (table: Int32Array): Int32Array => table.map((value) => (value >>> 8) ^ (first[value & 0xff] as number));
  const second = shifted(first);
  const third = shifted(second);
  return [first, second, third, shifted(third)];
}

/**
 * CRC-32 (RFC 1952, section 8). Four bytes at a time, which takes a third of the time that one at a
 * time does.
 */
export function portableCrc32(bytes: Uint8Array, begun: number): number {
  let sum = ~begun;
  let index = 0;
  for (const last = bytes.length - 3; index < last; index += 4) {
    sum ^=
      (bytes[index] as number) |
      ((bytes[index + 1] as number) << 8) |
      ((bytes[index + 2] as number) << 16) |
      ((bytes[index + 3] as number) << 24);
    sum =
      (withThree[sum & 0xff] as number) ^
      (withTwo[(sum >>> 8) & 0xff] as number) ^
      (withOne[(sum >>> 16) & 0xff] as number) ^
      (alone[sum >>> 24] as number);
  }
  for (; index < bytes.length; index += 1) sum = (sum >>> 8) ^ (alone[(sum ^ (bytes[index] as number)) & 0xff] as number);
  return ~sum >>> 0;
}
