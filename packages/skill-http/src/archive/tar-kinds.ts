import { archiveError, quoted } from './archive-error.ts';

const blockBytes = 512;
/** Offsets in a header (POSIX ustar). */
const [nameEnd, sizeStart, sizeEnd, kindAt] = [100, 124, 136, 156];
/** Files, folders, and extended headers. The decoder reports links and devices itself. */
const known: ReadonlySet<string> = new Set(['0', '\0', '7', '5', 'x', 'g', 'L', 'K', '1', '2', '3', '4', '6']);

/**
 * Refuses entries that the decoder would take for plain files: sparse files (`S`), parts of files,
 * volume labels.
 *
 * @throws {SkillError} `invalid-skill`
 */
export function checkedTarKinds(): TransformStream<Uint8Array, Uint8Array> {
  const header = new Uint8Array(blockBytes);
  let filled = 0;
  let toSkip = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (let offset = 0; offset < chunk.length;) {
        if (toSkip > 0) {
          const skipped = Math.min(toSkip, chunk.length - offset);
          toSkip -= skipped;
          offset += skipped;
          continue;
        }
        const part = chunk.subarray(offset, offset + blockBytes - filled);
        header.set(part, filled);
        filled += part.length;
        offset += part.length;
        if (filled < blockBytes) break;
        filled = 0;
        toSkip = checkHeader(header);
      }
      controller.enqueue(chunk);
    },
  });
}

/** Gives how many bytes of contents and padding follow. */
function checkHeader(header: Uint8Array): number {
  // A block of zeros ends an archive.
  if (header.every((byte) => byte === 0)) return 0;
  const kind = String.fromCharCode(header[kindAt] ?? 0);
  if (!known.has(kind)) {
    const name = textOf(header.subarray(0, nameEnd));
    const what = kind === 'S' ? 'a sparse file, which is not what its bytes say' : `an entry of the kind ${JSON.stringify(kind)}`;
    throw archiveError('invalid-skill', `holds ${quoted(name)}, ${what}. Pack plain files, without --sparse. Nothing of it is used.`);
  }
  const size = Number.parseInt(textOf(header.subarray(sizeStart, sizeEnd)).trim() || '0', 8);
  // A size in another encoding belongs to a file larger than any skill has; the decoder refuses it.
  return Number.isSafeInteger(size) && size >= 0 ? Math.ceil(size / blockBytes) * blockBytes : 0;
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}
