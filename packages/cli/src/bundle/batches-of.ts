const size = 256 * 1024;

/**
 * The same bytes in fewer parts: a call of the system takes as long for ten bytes as for thousands.
 */
export function* batchesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for (const part of parts) {
    batch.push(part);
    bytes += part.length;
    if (bytes < size) continue;
    yield Buffer.concat(batch, bytes);
    [batch, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(batch, bytes);
}
