import { createTarDecoder, type TarHeader } from 'modern-tar';
import { archiveError, quoted } from './archive-error.ts';
import { type ArchiveFiles } from './archive-files.ts';
import { collectStream } from './collect-stream.ts';
import { checkedTarKinds } from './tar-kinds.ts';

/** Small, so that a bomb is noticed before its contents fill the memory. */
const inputChunkBytes = 4096;

/**
 * Unpacks a tar.gz while it streams. Files and folders only; a link, device or pipe refuses the
 * whole archive.
 *
 * @param maxTarBytes of the tar itself: contents, headers and padding
 */
export async function readTarGz(packed: Uint8Array, files: ArchiveFiles, maxTarBytes: number): Promise<void> {
  // The platform types this stream for shared memory too, the library does not.
  const gunzip = new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>;
  const entries = inChunks(packed)
    .pipeThrough(gunzip)
    .pipeThrough(capped(maxTarBytes))
    .pipeThrough(checkedTarKinds())
    .pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    files.count();
    const path = files.pathOf(header.name);
    if (isSparse(header)) {
      throw archiveError(
        'invalid-skill',
        `holds ${quoted(header.name)}, a sparse file, which is not what its bytes say. Pack it without --sparse.`,
      );
    }
    // Checked before the name, so that a link is refused even where the file would be left out.
    if (header.type !== 'file' && header.type !== 'directory')
      throw archiveError(
        'invalid-skill',
        `holds ${quoted(header.name)}, a ${header.type ?? 'thing of no kind'}; only files and folders are unpacked. Nothing of it is used.`,
      );
    if (header.type === 'directory' || path === null) {
      await collectStream(body, (size) => files.reserve(size));
      continue;
    }
    files.reserve(header.size);
    files.add(path, await collectStream(body, (size) => files.reserve(size)));
  }
}

/** GNU tar stores a sparse file as a map of its holes, with the real name in a PAX header. */
function isSparse({ pax = {} }: TarHeader): boolean {
  return Object.keys(pax).some((key) => key.startsWith('GNU.sparse.'));
}

function inChunks(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) {
        controller.close();
        return;
      }
      controller.enqueue(bytes.slice(offset, offset + inputChunkBytes));
      offset += inputChunkBytes;
    },
  });
}

function capped(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes)
        throw archiveError(
          'limit-exceeded',
          `unpacks to more than ${maxBytes} bytes of tar. Raise limits.unpackedBytes or limits.ratio where that is right.`,
        );
      controller.enqueue(chunk);
    },
  });
}
