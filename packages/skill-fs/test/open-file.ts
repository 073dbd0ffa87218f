import fs from 'node:fs';
import { openRegularFile } from '../src/open-regular-file.ts';

/** Opens a file as the provider does: `true`, or `null` where it may not be read. */
export async function openFile(file: string): Promise<true | null> {
  const opened = openRegularFile(file, 'allow');
  if (opened === null) return null;
  fs.closeSync(opened.descriptor);
  return true;
}
