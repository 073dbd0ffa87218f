const blockBytes = 512;
const zero = 0x30;
const slash = 0x2f;
const encoder = new TextEncoder();
const nothing = new Uint8Array(0);
/** Two blocks of zeros, which end a tar. They are never written to. */
const zeros = new Uint8Array(2 * blockBytes);

/** Where the fields of a header are (IEEE 1003.1, "ustar Interchange Format"), and how long. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  typeflag: [156, 1],
  magic: [257, 6],
  version: [263, 2],
  prefix: [345, 155],
} as const;

/** A file as it lies in a tar. */
export interface UstarFile {
  /** A path that fits {@link ustarName}. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Permissions. */
  readonly mode: number;
}

/**
 * The parts of a tar without copies of files. Files belong to nobody and are of 1970.
 *
 * It is code of our own because libraries without Node write by streams, which takes ten times as
 * long as the rest of packing. A test compares the result with one of them.
 */
export function ustarParts(files: readonly UstarFile[]): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  const headers = new Uint8Array(files.length * blockBytes);
  for (const [index, file] of files.entries()) {
    const header = headers.subarray(index * blockBytes, (index + 1) * blockBytes);
    writeHeader(header, file);
    parts.push(header, file.bytes);
    const rest = file.bytes.length % blockBytes;
    if (rest > 0) parts.push(zeros.subarray(rest, blockBytes));
  }
  parts.push(zeros);
  return parts;
}

/**
 * The name fields for a path: 100 bytes, or 155 of folders before it. `null` if it does not fit.
 */
export function ustarName(path: string): { readonly prefix: Uint8Array; readonly name: Uint8Array } | null {
  const bytes = encoder.encode(path);
  const [, nameLength] = fields.name;
  const [, prefixLength] = fields.prefix;
  if (bytes.length <= nameLength) return { prefix: nothing, name: bytes };
  // Splits at the last slash that fits. Readers join both parts with one slash.
  for (let index = bytes.length - 2; index > 0 && bytes.length - index - 1 <= nameLength; index -= 1) {
    if (bytes[index] === slash && index <= prefixLength) return { prefix: bytes.subarray(0, index), name: bytes.subarray(index + 1) };
  }
  return null;
}

function writeHeader(header: Uint8Array, { path, bytes, mode }: UstarFile): void {
  const { prefix, name } = ustarName(path) ?? noName(path);
  header.set(commonHeader);
  header.set(name, fields.name[0]);
  header.set(prefix, fields.prefix[0]);
  putNumber(header, 'mode', mode);
  putNumber(header, 'size', bytes.length);
  let sum = 0;
  for (let index = 0; index < blockBytes; index += 1) sum += header[index] as number;
  putNumber(header, 'checksum', sum);
}

/** A regular file of nobody, of 1970, with spaces for the checksum. */
const commonHeader = /* @__PURE__ */ (() => {
  const header = new Uint8Array(blockBytes);
  const put = (field: keyof typeof fields, text: string): void => header.set(encoder.encode(text), fields[field][0]);
  for (const field of ['uid', 'gid', 'mtime'] as const) putNumber(header, field, 0);
  put('checksum', ' '.repeat(8));
  put('typeflag', '0');
  put('magic', 'ustar');
  put('version', '00');
  return header;
})();

/** Puts a number in octal digits and a NUL. The checksum has a space behind it. */
function putNumber(header: Uint8Array, field: 'mode' | 'uid' | 'gid' | 'size' | 'mtime' | 'checksum', value: number): void {
  const [start, length] = fields[field];
  const end = start + length - (field === 'checksum' ? 2 : 1);
  header[end] = 0;
  let rest = value;
  for (let at = end - 1; at >= start; at -= 1) {
    header[at] = zero + (rest % 8);
    rest = Math.floor(rest / 8);
  }
}

function noName(path: string): never {
  throw new RangeError(`${JSON.stringify(path)} does not fit into a tar header.`);
}
