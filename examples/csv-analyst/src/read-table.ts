import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** Maximum size of a file for a script. */
const maxBytes = 32 * 1024 * 1024;

/** A file that a person wants to know about, as scripts see it. */
export interface Table {
  /** Its path in the script's working directory. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** @throws {TableError} for a file that does not exist or is too large */
export async function readTable(file: string | URL): Promise<Table> {
  const name = basename(typeof file === 'string' ? file : file.pathname);
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) throw new TableError(`There is no file ${name}. Give the path of a CSV file.`);
  if (found.size > maxBytes) throw new TableError(`${name} has ${found.size} bytes. This example takes ${maxBytes} at most.`);
  // Only characters that are safe for a shell and a model; only the content matters.
  return { path: `data/${name.replace(/[^\w.-]+/g, '-')}`, bytes: await readFile(file) };
}

/** An error about the file, in words for the person who named it. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
