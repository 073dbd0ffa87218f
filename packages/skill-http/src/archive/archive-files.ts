import { isResourcePath } from '@repertoire/skills-core/provider';
import { archiveError, quoted } from './archive-error.ts';
import type { ArchiveLimits } from './archive-limits.ts';

/** Files that the archivers of macOS add for themselves. */
const litter = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|\._[^/]*$)/;
const maxLitter = 100;

/**
 * Every archive may unpack to this size, whatever its ratio: repetitive text compresses as well as
 * a zip bomb does.
 */
const ratioFreeBytes = 8 * 1024 * 1024;

/** Collects the files of an archive, and refuses paths and sizes that are not allowed. */
export class ArchiveFiles {
  readonly #limits: ArchiveLimits;
  readonly #maxBytes: number;
  readonly #files = new Map<string, Uint8Array>();
  /**
   * Written paths of files and folders, by their name on disks that ignore case and Unicode form.
   */
  readonly #taken = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  readonly #litter: string[] = [];
  #entries = 0;
  #bytes = 0;

  /** @param packedBytes size of the archive */
  constructor(limits: ArchiveLimits, packedBytes: number) {
    this.#limits = limits;
    this.#maxBytes = maxUnpackedBytes(limits, packedBytes);
  }

  /** How many bytes may still be unpacked. */
  get remainingBytes(): number {
    return this.#maxBytes - this.#bytes;
  }

  /** Counts an entry of any kind. @throws {SkillError} `limit-exceeded` */
  count(): void {
    this.#entries += 1;
    if (this.#entries > this.#limits.files)
      throw archiveError('limit-exceeded', `has more than ${this.#limits.files} entries. Raise limits.files where that is right.`);
  }

  /**
   * The path of a file in the form of the contract.
   *
   * @returns `null` for litter and for the folder itself
   * @throws {SkillError} `invalid-path`, `limit-exceeded`
   */
  pathOf(name: string): string | null {
    const path = name
      .replace(/^(?:\.\/+)+/, '')
      .replace(/\/$/, '')
      .normalize('NFC');
    if (path === '' || path === '.') return null;
    if (!isResourcePath(path) || !path.isWellFormed() || path.includes('\uFFFD'))
      throw archiveError('invalid-path', `holds ${quoted(name)}, which is no path inside a skill. Nothing of it is used.`);
    if (path.split('/').length - 1 > this.#limits.depth)
      throw archiveError(
        'limit-exceeded',
        `holds ${quoted(name)}, deeper than ${this.#limits.depth} folders. Raise limits.depth where that is right.`,
      );
    if (!litter.test(path)) return path;
    if (this.#litter.length < maxLitter) this.#litter.push(path);
    return null;
  }

  /** Refuses a size before anything of it is unpacked. @throws {SkillError} `limit-exceeded` */
  reserve(bytes: number): void {
    if (bytes > this.remainingBytes) throw tooLarge(this.#maxBytes);
  }

  /** @throws {SkillError} `invalid-skill` for a path that is taken, `limit-exceeded` */
  add(path: string, bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes += bytes.length;
    const segments = path.split('/');
    segments.forEach((_, index) => this.#take(segments.slice(0, index + 1).join('/'), index < segments.length - 1));
    this.#files.set(path, bytes);
  }

  /** All files. If they lie in one folder together, without that folder. */
  result(): { readonly files: Map<string, Uint8Array>; readonly wrapper: string | undefined; readonly litter: readonly string[] } {
    const left = this.#litter;
    const folder = [...this.#files.keys()][0]?.split('/')[0];
    const isWrapped =
      folder !== undefined &&
      this.#files.has(`${folder}/SKILL.md`) &&
      [...this.#files.keys()].every((path) => path.startsWith(`${folder}/`));
    if (!isWrapped) return { files: this.#files, wrapper: undefined, litter: left };
    const files = new Map([...this.#files].map(([path, bytes]) => [path.slice(folder.length + 1), bytes]));
    return { files, wrapper: folder, litter: left };
  }

  #take(path: string, isFolder: boolean): void {
    const key = path.toUpperCase().toLowerCase();
    const other = this.#taken.get(key);
    if (other === undefined) this.#taken.set(key, { path, isFolder });
    else if (other.path !== path || !other.isFolder || !isFolder)
      throw archiveError(
        'invalid-skill',
        `holds ${quoted(path)} and ${quoted(other.path)}, which are one on many disks. Nothing of it is used.`,
      );
  }
}

/** The most bytes that an archive of some size may unpack to. */
export function maxUnpackedBytes({ unpackedBytes, ratio }: ArchiveLimits, packedBytes: number): number {
  return Math.min(unpackedBytes, Math.max(ratioFreeBytes, packedBytes * ratio));
}

function tooLarge(maxBytes: number): Error {
  return archiveError(
    'limit-exceeded',
    `unpacks to more than ${maxBytes} bytes. Raise limits.unpackedBytes or limits.ratio where that is right.`,
  );
}
