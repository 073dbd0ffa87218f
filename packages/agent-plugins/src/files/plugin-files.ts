/**
 * The files of a plugin, wherever they are: a folder, an archive, an object store, a bundle. A
 * plugin is read only through these methods, so a new kind of place needs one implementation of
 * this interface.
 *
 * Paths are relative to the root of the plugin, with `/`, without `.` and `..` segments; `''` is
 * the root itself. All links are followed. What a link leads to outside of the root is `'outside'`:
 * it is never listed and never read.
 */
export interface PluginFiles {
  /** The root as a URL that ends with `/`, such as `file:///srv/plugins/billing/`. @default none */
  readonly uri?: string | undefined;
  /** The entries of a folder, in any order; `null` if there is no such folder. */
  list(path: string, options?: PluginCallOptions): Promise<readonly PluginEntry[] | 'outside' | null>;
  /** The first `maxBytes` bytes of a regular file; `null` if there is no such file. */
  read(path: string, options?: PluginReadOptions): Promise<PluginFile | 'outside' | null>;
  /**
   * The files of a plugin whose root is a folder of this one. Its own root is then the boundary.
   */
  folder(path: string): PluginFiles;
}

/**
 * Files of which a look as a whole costs less than its calls by themselves, as those of folders.
 */
export interface LookablePluginFiles extends PluginFiles {
  /**
   * Begins one look. What was seen in it is not made sure of again until it ends; its files remain
   * valid after that.
   */
  beginLook?(): { readonly files: PluginFiles; readonly end: () => void };
}

/** Options of every call. */
export interface PluginCallOptions {
  /** Aborts the call. @default never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link PluginFiles.read}. */
export interface PluginReadOptions extends PluginCallOptions {
  /** @default the whole file */
  readonly maxBytes?: number | undefined;
}

/** What stands in a folder. */
export interface PluginEntry {
  readonly name: string;
  /**
   * What it is, all links followed. `outside`: a link that leaves the root. `other`: neither file
   * nor folder, or a broken link.
   */
  readonly kind: 'file' | 'folder' | 'outside' | 'other';
  /** Bytes of a file, where that is known. */
  readonly size?: number | undefined;
  /**
   * A text that changes when the content of the file does: an ETag, a time and an inode. @default
   * not known; the file is read again each time
   */
  readonly stamp?: string | undefined;
}

/** A file that was read. */
export interface PluginFile {
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** A folder of plugins, or one plugin, with what the host says of it. */
export interface PluginRoot {
  readonly files: PluginFiles;
  /** Names the root in diagnostics. */
  readonly name: string;
  /** Whether the host trusts the plugins in it. @default false */
  readonly trusted?: boolean | undefined;
  /** Whether it may be missing without a warning. @default false */
  readonly optional?: boolean | undefined;
}
