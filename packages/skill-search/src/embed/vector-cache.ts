import { sha256Hex } from '@repertoire/skills-core/provider';

/** Keeps vectors between processes, by `id` of the embedder, a colon, and the text's SHA-256. */
export interface SkillVectorCache {
  get(key: string): Promise<Uint8Array | null | undefined>;
  set(key: string, bytes: Uint8Array): Promise<void>;
}

/** The key of a text's vector. */
export async function vectorKey(embedderId: string, text: string): Promise<string> {
  return `${embedderId}:${await sha256Hex(new TextEncoder().encode(text))}`;
}

/** Returns a vector as bytes: 32-bit floats in little-endian order. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true);
  return new Uint8Array(view.buffer);
}

/** Parses a cached vector. Returns `null` if it is invalid. */
export function vectorOfBytes(bytes: Uint8Array): Float32Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector = Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getFloat32(index * 4, true));
  return Math.abs(Math.hypot(...vector) - 1) < 0.01 ? vector : null;
}
