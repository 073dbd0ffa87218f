import { hash } from 'node:crypto';
import { readdirSync, realpathSync, type Dirent } from 'node:fs';
import path from 'node:path';

/** Reads each folder once, synchronously: promises would take most of the time. */
export class FolderTree {
  readonly #entries = new Map<string, readonly Dirent[]>();

  /** Empty for a folder that is gone, or may not be read. */
  entriesOf(folder: string): readonly Dirent[] {
    const known = this.#entries.get(folder);
    if (known !== undefined) return known;
    let entries: readonly Dirent[] = [];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      // Then its files cannot be told either.
    }
    this.#entries.set(folder, entries);
    return entries;
  }

  /** The folders that were read and have an entry of this name. */
  foldersWith(name: string): string[] {
    return [...this.#entries].flatMap(([folder, entries]) => (entries.some((entry) => entry.name === name) ? [folder] : []));
  }

  /** The same for the same names, and for links that lead to the same places. */
  digest(): string {
    const lines: string[] = [];
    for (const [folder, entries] of this.#entries) {
      lines.push(`${folder}\0${entries.length}`);
      for (const entry of entries)
        lines.push(entry.isSymbolicLink() ? `${entry.name}\0${endOf(path.join(folder, entry.name))}` : entry.name);
    }
    return hash('sha256', lines.join('\0\0'));
  }
}

function endOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return '';
  }
}
