import { accessSync, constants } from 'node:fs';

/** Whether this user may write into a folder. */
export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
