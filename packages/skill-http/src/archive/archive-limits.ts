/** What an archive may unpack to. */
export interface ArchiveLimits {
  /** Bytes of all files together. */
  readonly unpackedBytes: number;
  /** Files, and entries of any other kind. */
  readonly files: number;
  /** Unpacked bytes for each packed one, beyond the first 8 MiB. */
  readonly ratio: number;
  /** Folders in a path. */
  readonly depth: number;
}
