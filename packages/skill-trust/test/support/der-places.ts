/** An element of a DER structure, by its place in the bytes. */
export interface DerPlace {
  /** The places of its parents and its own. */
  readonly path: readonly number[];
  readonly at: number;
  readonly bodyAt: number;
  readonly end: number;
}

/** Every element of a DER structure but the whole. */
export function derPlaces(raw: Uint8Array, start = 0, end: number = raw.length, above: readonly number[] = []): DerPlace[] {
  const found: DerPlace[] = [];
  let at = start;
  for (let place = 0; at < end; place += 1) {
    const first = raw[at + 1] ?? 0;
    const size = first < 0x80 ? 0 : first & 0x7f;
    const bodyAt = at + 2 + size;
    const length = size === 0 ? first : raw.subarray(at + 2, bodyAt).reduce((sum, byte) => sum * 256 + byte, 0);
    const path = [...above, place];
    if (above.length > 0) found.push({ path, at, bodyAt, end: bodyAt + length });
    if (((raw[at] ?? 0) & 0x20) !== 0) found.push(...derPlaces(raw, bodyAt, bodyAt + length, path));
    at = bodyAt + length;
  }
  return found;
}

/** Tag and length, as DER writes them. */
export function derHeader(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  return length < 0x100 ? Uint8Array.of(tag, 0x81, length) : Uint8Array.of(tag, 0x82, length >> 8, length & 0xff);
}

/** The bytes with the lengths of the parents of what changed. */
export function relengthened(raw: Uint8Array, path: readonly number[], changed: Uint8Array, by: number): Uint8Array {
  const whole: DerPlace = { path: [0], at: 0, bodyAt: 4, end: raw.length };
  const parents = [whole, ...derPlaces(raw)].filter(
    (each) => each.path.length < path.length && each.path.every((place, index) => place === path[index]),
  );
  let bytesNow = changed;
  let grown = by;
  for (const { at, bodyAt, end } of parents.toReversed()) {
    const head = derHeader(bytesNow[at] ?? 0, end - bodyAt + grown);
    bytesNow = Buffer.concat([bytesNow.subarray(0, at), head, bytesNow.subarray(bodyAt)]);
    grown += head.length - (bodyAt - at);
  }
  return bytesNow;
}
