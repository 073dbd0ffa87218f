/** What an empty file counts, as a block of a disk. */
const bytesOfEntry = 4_096;

/** The files of a run, as a script in memory sees them below `/skill`. */
export class GuestFiles {
  /** Files that the script wrote, by path inside the skill. */
  readonly written: Map<string, Uint8Array> = new Map();
  /** Whether it tried to write more than allowed. */
  overfull = false;
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #cwd: string;
  #room: number;

  constructor(files: ReadonlyMap<string, Uint8Array>, cwd: string, maxBytes: number) {
    this.#files = files;
    this.#cwd = cwd;
    this.#room = maxBytes;
  }

  read(given: string): string {
    const bytes = this.#get(given);
    if (bytes === undefined) throw notFound(given);
    return new TextDecoder().decode(bytes);
  }

  put(given: string, text: string, append: boolean): void {
    const path = this.#pathOf(given);
    if (path === null || path === '') throw new GuestError('EACCES', `EACCES: permission denied, open '${given}'`);
    const before = append ? (this.#get(given) ?? new Uint8Array()) : new Uint8Array();
    const added = new TextEncoder().encode(text);
    // Each write counts, so that rewriting a file is not free, and neither are names and empty
    // files.
    this.#room -= before.length + added.length + path.length + (this.written.has(path) ? 0 : bytesOfEntry);
    if (this.#room < 0) {
      this.overfull = true;
      throw new GuestError('EFBIG', `EFBIG: the script may not write more, write '${given}'`);
    }
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    this.written.set(path, bytes);
  }

  exists(given: string): boolean {
    return this.#get(given) !== undefined || this.#names(given).length > 0;
  }

  list(given: string): readonly string[] {
    const names = this.#names(given);
    if (names.length === 0 && this.#pathOf(given) !== '') throw notFound(given);
    return names;
  }

  #names(given: string): readonly string[] {
    const folder = this.#pathOf(given);
    if (folder === null) return [];
    const start = folder === '' ? '' : `${folder}/`;
    const below = [...this.#files.keys(), ...this.written.keys()].filter((path) => path.startsWith(start));
    return [...new Set(below.map((path) => path.slice(start.length).split('/')[0] ?? ''))].sort();
  }

  #get(given: string): Uint8Array | undefined {
    const path = this.#pathOf(given);
    return path === null ? undefined : (this.written.get(path) ?? this.#files.get(path));
  }

  /** Path inside the skill; `null` for paths outside of it. */
  #pathOf(given: string): string | null {
    const absolute = joinPaths([given.startsWith('/') ? '' : this.#cwd, given]);
    if (absolute === '/skill') return '';
    return absolute.startsWith('/skill/') ? absolute.slice('/skill/'.length).normalize('NFC') : null;
  }
}

export class GuestError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Joins and normalizes paths: `.` and `..` are resolved. */
export function joinPaths(parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join('/');
  const segments: string[] = [];
  for (const segment of joined.split('/')) {
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (segment === '..' && joined.startsWith('/')) continue;
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const path = segments.join('/');
  return joined.startsWith('/') ? `/${path}` : path === '' ? '.' : path;
}

function notFound(path: string): GuestError {
  return new GuestError('ENOENT', `ENOENT: no such file or directory, open '${path}'`);
}
