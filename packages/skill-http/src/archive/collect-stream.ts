import { concatBytes } from '@repertoire/skills-core/internal';

/** Reads a stream whole. `onBytes` gets the running size and may throw to cancel the rest. */
export async function collectStream(stream: ReadableStream<Uint8Array>, onBytes: (size: number) => void): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concatBytes(chunks);
      size += value.length;
      onBytes(size);
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel(error).catch(() => {});
    throw error;
  }
}
