/** What a file is for, by its folder: `scripts/`, `references/`, `assets/`, `examples/`, others. */
export type SkillResourceKind = 'script' | 'reference' | 'asset' | 'example' | 'other';

/** One line of a skill's list of files. */
export interface SkillResourceEntry {
  /** Path inside the skill. */
  readonly path: string;
  /** What it is for. */
  readonly kind: SkillResourceKind;
  /** Media type, guessed from the extension unless the source knows better: `text/markdown`. */
  readonly mediaType: string;
  /** Size in bytes, where it is known without reading the file. */
  readonly size?: number | undefined;
  /** SHA-256 of the bytes in lower-case hex, if the source guarantees one. */
  readonly digest?: string | undefined;
  /** What the file is for, in one line, shown to models beside the path. */
  readonly description?: string | undefined;
}

/** Level 3: the bytes of one file. */
export interface SkillResource {
  /** Path inside the skill, in the form that the list has. */
  readonly path: string;
  /** At most `maxBytes` bytes, as a plain `Uint8Array`. */
  readonly bytes: Uint8Array;
  /** Size of the whole file. Greater than `bytes.length` if the answer was cut. */
  readonly size: number;
  /** Media type, as in the list. */
  readonly mediaType: string;
  /** SHA-256 of the whole file in lower-case hex, where the source promises one. */
  readonly digest?: string | undefined;
}
