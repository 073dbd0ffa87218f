/**
 * The files of a plugin, wherever they are: a folder, an archive, an object store, a bundle. A
 * plugin is read only through these methods, so a new kind of place needs one implementation of
 * this interface.
 *
 * Paths are relative to the root of the plugin, with `/`, without `.` and `..` segments; `''` is
 * the root itself. Links are followed. A link that leaves the root is `'outside'`: its target is
 * never listed and never read.
 */
export interface PluginFiles {
  /** The root as a URL that ends with `/`, such as `file:///srv/plugins/billing/`. @default none */
  readonly uri?: string | undefined;
  /** The entries of a folder, in any order; `null` if there is no such folder. */
  list(path: string, options?: PluginCallOptions): Promise<readonly PluginEntry[] | 'outside' | null>;
  /** The first `maxBytes` bytes of a regular file; `null` if there is no such file. */
  read(path: string, options?: PluginReadOptions): Promise<PluginFile | 'outside' | null>;
  /** The files of a plugin in a folder of this one, which is then the boundary. */
  folder(path: string): PluginFiles;
}

/** Files that are cheaper to read in one look than by single calls. */
export interface LookablePluginFiles extends PluginFiles {
  /** Begins a look. What was seen in it is not checked again until it ends. */
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

/** An entry of a folder. */
export interface PluginEntry {
  readonly name: string;
  /** All links followed. `outside`: leaves the root. `other`: no file or folder, or broken. */
  readonly kind: 'file' | 'folder' | 'outside' | 'other';
  /** Size of a file in bytes, if it is known. */
  readonly size?: number | undefined;
  /** Changes with the content: an ETag, a time. @default read again each time */
  readonly stamp?: string | undefined;
}

/** A file that was read. */
export interface PluginFile {
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** A folder of plugins, or one plugin, with the host's settings for it. */
export interface PluginRoot {
  readonly files: PluginFiles;
  /** Names the root in diagnostics. */
  readonly name: string;
  /** Whether the host trusts the plugins in it. @default false */
  readonly trusted?: boolean | undefined;
  /** Whether it may be missing without a warning. @default false */
  readonly optional?: boolean | undefined;
}
