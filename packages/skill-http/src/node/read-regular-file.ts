import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Follows no link and never waits for a pipe. Windows has neither these flags nor these problems.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a file; `null` if there is none, or it is a link, pipe, device or folder. */
export async function readRegularFile(file: string): Promise<Uint8Array | null> {
  try {
    const handle = await open(file, flags);
    try {
      if (!(await handle.stat()).isFile()) return null;
      const bytes = await handle.readFile();
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error) || isNoFile(error)) return null;
    throw error;
  }
}

/** Whether an error says that there is nothing of that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A link (`ELOOP`, `EMLINK`), a socket (`ENXIO`), a folder. */
function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR', 'ENODEV'].includes(String(error.code));
}
