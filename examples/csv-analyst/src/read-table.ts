import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** The most bytes of a file that are handed to a script. */
const maxBytes = 32 * 1024 * 1024;

/** A file that a person wants to know about, as scripts see it. */
export interface Table {
  /** Its path in the folder that a script starts in. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** @throws {TableError} for a file that is not there, or too large */
export async function readTable(file: string | URL): Promise<Table> {
  const name = basename(typeof file === 'string' ? file : file.pathname);
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) throw new TableError(`There is no file ${name}. Give the path of a CSV file.`);
  if (found.size > maxBytes) throw new TableError(`${name} has ${found.size} bytes. This example takes ${maxBytes} at most.`);
  // Only what a shell and a model copy without harm; the content is what counts.
  return { path: `data/${name.replace(/[^\w.-]+/g, '-')}`, bytes: await readFile(file) };
}

/** Says what is wrong with the file, in words for the person who gave it. */
export class TableError extends Error {
  override readonly name = 'TableError';
}
