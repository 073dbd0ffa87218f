import { unzipRaw, type ZipEntry } from 'unzipit';
import { archiveError, quoted } from './archive-error.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { collectStream } from './collect-stream.ts';
import { portableCrc32 } from './crc32.ts';

const endRecordSignature = 0x06054b50;
const endRecordBytes = 22;
const zip64LocatorSignature = 0x07064b50;
const zip64LocatorBytes = 20;

/** Unpacks a zip. Checks what it declares first, and compares what comes out with it. */
export async function readZip(packed: Uint8Array, files: ArchiveFiles, maxEntries: number): Promise<void> {
  const end = endRecordOf(packed);
  const declared = end?.entries ?? 0;
  if (declared > maxEntries)
    throw archiveError(
      'limit-exceeded',
      `declares ${declared} entries, and at most ${maxEntries} are read. Raise limits.files where that is right.`,
    );
  const { entries } = await unzipRaw(packed);
  const sums = sumsOf(packed, end);
  const chosen: [path: string, entry: ZipEntry, sum: number | undefined][] = [];
  let total = 0;
  for (const [index, entry] of entries.entries()) {
    files.count();
    const path = files.pathOf(entry.name);
    refuseOtherThanFiles(entry);
    if (entry.isDirectory || path === null) continue;
    total += entry.size;
    files.reserve(total);
    chosen.push([path, entry, sums[index]]);
  }
  // One after another, so that the reserved size bounds the memory.
  for (const [path, entry, sum] of chosen) {
    const bytes = await collectStream(await entry.stream(), (size) => files.reserve(size));
    if (portableCrc32(bytes, 0) !== sum)
      throw archiveError('invalid-skill', `is damaged: the checksum of ${quoted(entry.name)} is another one.`);
    files.add(path, bytes);
  }
}

/**
 * The checksums of all entries, in their order.
 *
 * @throws {SkillError} `invalid-skill` where two entries share bytes, or one reaches into the
 *   directory: a small archive could be unpacked to any size
 */
function sumsOf(packed: Uint8Array, end: EndRecord | null): readonly number[] {
  if (end === null) return [];
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const sums: number[] = [];
  const places: [start: number, end: number][] = [];
  let at = end.directory;
  for (let index = 0; index < end.entries; index += 1) {
    sums.push(view.getUint32(at + 16, true));
    const local = view.getUint32(at + 42, true);
    const headerBytes = 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    places.push([local, local + headerBytes + view.getUint32(at + 20, true)]);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  places.sort(([a], [b]) => a - b);
  const overlaps = places.some(([, last], index) => last > (places[index + 1]?.[0] ?? end.directory));
  if (overlaps) throw archiveError('invalid-skill', 'has entries that share bytes. Nothing of it is used.');
  return sums;
}

interface EndRecord {
  readonly entries: number;
  /** Where the list of entries begins. */
  readonly directory: number;
}

/**
 * What the end record says, found from the end; `null` if there is none.
 *
 * @throws {SkillError} `unsupported` for a zip64, which may say another number elsewhere
 */
function endRecordOf(packed: Uint8Array): EndRecord | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const last = packed.length - endRecordBytes;
  for (let offset = last; offset >= Math.max(0, last - 0xffff); offset -= 1) {
    if (view.getUint32(offset, true) !== endRecordSignature) continue;
    const locator = offset - zip64LocatorBytes;
    const hasLocator = locator >= 0 && view.getUint32(locator, true) === zip64LocatorSignature;
    const isDeferred =
      view.getUint16(offset + 8, true) === 0xffff ||
      view.getUint16(offset + 10, true) === 0xffff ||
      view.getUint32(offset + 12, true) === 0xffffffff ||
      view.getUint32(offset + 16, true) === 0xffffffff;
    if (hasLocator || isDeferred) throw archiveError('unsupported', 'is a zip64. Pack it as a plain zip or as a tar.gz.');
    return { entries: view.getUint16(offset + 10, true), directory: view.getUint32(offset + 16, true) };
  }
  return null;
}

function refuseOtherThanFiles(entry: ZipEntry): void {
  const { name, encrypted, externalFileAttributes, versionMadeBy } = entry;
  if (encrypted) throw archiveError('invalid-skill', `holds ${quoted(name)}, which is encrypted. Nothing of it is used.`);
  // Unix (3) or macOS (19): the upper half is the mode, whose first four bits tell the kind.
  const system = versionMadeBy >>> 8;
  const kind = system === 3 || system === 19 ? (externalFileAttributes >>> 28) & 0xf : 0;
  const isPlain = kind === 0 || kind === 0o10 || kind === 0o4;
  if (!isPlain)
    throw archiveError(
      'invalid-skill',
      `holds ${quoted(name)}, a link or device; only files and folders are unpacked. Nothing of it is used.`,
    );
}
