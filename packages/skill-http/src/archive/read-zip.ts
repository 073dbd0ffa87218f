import { unzipRaw, type ZipEntry } from 'unzipit';
import { archiveError, quoted } from './archive-error.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { collectStream } from './collect-stream.ts';

const endRecordSignature = 0x06054b50;
const endRecordBytes = 22;
const zip64LocatorSignature = 0x07064b50;
const zip64LocatorBytes = 20;

/** Unpacks a zip. Checks what it declares first, and compares what comes out with it. */
export async function readZip(packed: Uint8Array, files: ArchiveFiles, maxEntries: number): Promise<void> {
  const declared = declaredEntries(packed);
  if (declared > maxEntries)
    throw archiveError(
      'limit-exceeded',
      `declares ${declared} entries, and at most ${maxEntries} are read. Raise limits.files where that is right.`,
    );
  const { entries } = await unzipRaw(packed);
  const chosen: [path: string, entry: ZipEntry][] = [];
  let total = 0;
  for (const entry of entries) {
    files.count();
    const path = files.pathOf(entry.name);
    refuseOtherThanFiles(entry);
    if (entry.isDirectory || path === null) continue;
    total += entry.size;
    files.reserve(total);
    chosen.push([path, entry]);
  }
  // One after another, so that the reserved size bounds the memory.
  for (const [path, entry] of chosen) {
    const body = await entry.stream();
    files.add(path, await collectStream(body, (size) => files.reserve(size)));
  }
}

/**
 * The number of entries in the end record, found from the end.
 *
 * @throws {SkillError} `unsupported` for a zip64, which may say another number elsewhere
 */
function declaredEntries(packed: Uint8Array): number {
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
    return view.getUint16(offset + 10, true);
  }
  return 0;
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
