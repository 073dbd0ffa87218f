import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { assertKnownOptions, numberOption, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillRoot } from './skill-roots.ts';

/** Bounds of a provider, whole numbers of at least 1 (`depth`: at least 0). */
export interface FileSystemSkillLimits {
  /** How many folders below a root a `SKILL.md` may lie. @default 6 */
  readonly depth: number;
  /** Folders searched in each root, then `discovery-truncated`. @default 100_000 */
  readonly directories: number;
  /** `SKILL.md` files taken in each root, then `discovery-truncated`. @default 20_000 */
  readonly skills: number;
  /** Bytes of a `SKILL.md` in which its frontmatter has to end. @default 16_384 */
  readonly frontmatterBytes: number;
  /** Bytes of a `SKILL.md`. A longer one is not listed (`skill-too-large`). @default 16_777_216 */
  readonly skillBytes: number;
  /** Files in a skill's list; others can still be read (`resources-truncated`). @default 2_000 */
  readonly resources: number;
  /** Bytes of a file read without `maxBytes`; beyond it `limit-exceeded`. @default 67_108_864 */
  readonly resourceBytes: number;
}

/** How {@link FileSystemSkillProviderOptions.watch} notices changes. */
export interface FileSystemWatchOptions {
  /**
   * `auto` asks the operating system and polls only where it refuses, a root does not exist yet, or
   * a link to a root leads elsewhere; `poll` always polls, for network and container mounts that
   * report nothing. Polling notices every change of a `SKILL.md` and every file that comes or goes,
   * but not an edit inside another file.
   * @default 'auto'
   */
  readonly mode?: 'auto' | 'poll' | undefined;
  /**
   * Milliseconds of quiet that end a burst of changes. Folders are first watched when nobody called
   * the provider for twice as long, and what changed since `watch` was called is told then.
   * @default 100
   */
  readonly debounceMs?: number | undefined;
  /** Milliseconds between two polls; no fewer than `debounceMs`. @default 2_000 */
  readonly pollMs?: number | undefined;
}

/** Options of {@link fileSystemSkillProvider}. */
export interface FileSystemSkillProviderOptions {
  /**
   * Folders that hold skills, most important first: the first root that has a skill of some name
   * wins, with all its versions (see `onCollision`). A path may be relative (to the working
   * directory at the time of the call), start with `~`, or be a `file:` URL such as
   * `new URL('./skills', import.meta.url)`.
   */
  readonly roots: readonly (string | URL | SkillRoot)[];
  /**
   * Which root owns a name that several have. A root that is not trusted never takes a name from
   * one that is.
   * @default 'first'
   */
  readonly onCollision?: 'first' | 'last' | undefined;
  /** Names the source, and each root that has no label of its own. @default 'fs' */
  readonly label?: string | undefined;
  /** Whether the host trusts roots that do not say so themselves. @default true */
  readonly trusted?: boolean | undefined;
  /**
   * How a `SKILL.md` is read: `lenient` repairs what it can and reports it, `strict` takes only
   * what the standard allows.
   * @default 'lenient'
   */
  readonly profile?: 'lenient' | 'strict' | undefined;
  /**
   * For so many milliseconds a listing is answered from memory. After that, folders and files are
   * checked with `stat`, and only what changed is read again. `0` checks at each call. Bodies and
   * resources are never kept: each `getSkill` and `readResource` reads the disk.
   * @default 1_000
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * Symbolic links on the way to a skill: `inside` follows those that stay in their root and
   * reports those that leave it, `all` follows every one, `none` follows none. Whatever it says, no
   * resource is read from outside its skill's own folder.
   * @default 'inside'
   */
  readonly links?: 'inside' | 'all' | 'none' | undefined;
  /**
   * Files with more than one hard link: `refuse` neither lists nor reads them. A hard link cannot
   * be told from the file itself, so whoever can write to a root can link a secret of the same disk
   * into it. Package managers link files of their store, hence the default.
   * @default 'allow'
   */
  readonly hardLinks?: 'allow' | 'refuse' | undefined;
  /**
   * Whether resources whose name, or one of whose folders, starts with a dot can be listed and
   * read. `.git` and the like never can.
   * @default false
   */
  readonly hiddenFiles?: boolean | undefined;
  /**
   * Whether skills are looked for in folders whose name starts with a dot, such as
   * `.github/skills`. Without it, one that holds skills is reported (`skills-in-hidden-folder`).
   * `.git` and the like are never looked into.
   * @default false
   */
  readonly hiddenFolders?: boolean | undefined;
  /**
   * Whether the list of a skill's files has their SHA-256. Each file is read once for it, and again
   * when it looks changed (by time, size and inode). With a folder of the host's own, what was
   * hashed is known to the next process too. Without digests, nothing can tell later whether the
   * files of a loaded skill changed. A file beyond `limits.resourceBytes` has none.
   * @default true
   */
  readonly digests?: boolean | { readonly folder: string } | undefined;
  /**
   * Whether the provider has `write`, which replaces skills in these roots; new ones come into the
   * first. What a crash left is brought in order before the first read. A folder `.repertoire` at
   * the top of a root is there while something is written.
   * @default false
   */
  readonly writable?: boolean | undefined;
  /** Bounds, each with a default of its own. */
  readonly limits?: Partial<FileSystemSkillLimits> | undefined;
  /** How changes are noticed while someone watches. */
  readonly watch?: FileSystemWatchOptions | undefined;
  /** The clock of `staleAfterMs`, in milliseconds; for tests. @default performance.now */
  readonly now?: (() => number) | undefined;
}

/** The options with every default filled in. */
export interface FileSystemSettings {
  readonly label: string;
  readonly onCollision: 'first' | 'last';
  readonly trusted: boolean;
  readonly profile: 'lenient' | 'strict';
  readonly staleAfterMs: number;
  readonly links: 'inside' | 'all' | 'none';
  readonly hardLinks: 'allow' | 'refuse';
  readonly hiddenFiles: boolean;
  readonly hiddenFolders: boolean;
  readonly digests: boolean | { readonly folder: string };
  readonly writable: boolean;
  readonly limits: FileSystemSkillLimits;
  readonly watch: { readonly mode: 'auto' | 'poll'; readonly debounceMs: number; readonly pollMs: number };
  readonly now: () => number;
}

const of = 'fileSystemSkillProvider';
/** Those of the parser among them. */
export const defaultLimits: FileSystemSkillLimits = {
  depth: 6,
  directories: 100_000,
  skills: 20_000,
  frontmatterBytes: 16_384,
  skillBytes: 16_777_216,
  resources: 2_000,
  resourceBytes: 67_108_864,
};

const knownWatchOptions: OptionRules<FileSystemWatchOptions> = {
  mode: { auto: true, poll: true },
  debounceMs: 'number',
  pollMs: 'number',
};
const limitNames = Object.keys(defaultLimits) as (keyof FileSystemSkillLimits)[];
const knownLimits = Object.fromEntries(limitNames.map((name) => [name, 'number'])) as OptionRules<FileSystemSkillLimits>;
const knownOptions: OptionRules<FileSystemSkillProviderOptions> = {
  roots: '[]',
  onCollision: { first: true, last: true },
  label: 'string',
  trusted: 'boolean',
  profile: { lenient: true, strict: true },
  staleAfterMs: 'number',
  links: { inside: true, all: true, none: true },
  hardLinks: { allow: true, refuse: true },
  hiddenFiles: 'boolean',
  hiddenFolders: 'boolean',
  digests: { '{}': true, boolean: true },
  writable: 'boolean',
  limits: { '{}': knownLimits },
  watch: { '{}': knownWatchOptions },
  now: '()',
};

/** Fills in the defaults. @throws {SkillError} `invalid-options` */
export function fileSystemSettings(options: FileSystemSkillProviderOptions): FileSystemSettings {
  assertKnownOptions(of, options, knownOptions);
  const { watch = {}, limits = {} } = options;
  return {
    label: options.label ?? 'fs',
    onCollision: options.onCollision ?? 'first',
    trusted: options.trusted ?? true,
    profile: options.profile ?? 'lenient',
    staleAfterMs: numberOption('staleAfterMs', options.staleAfterMs, { of, fallback: 1_000, least: 0 }),
    links: options.links ?? 'inside',
    hardLinks: options.hardLinks ?? 'allow',
    hiddenFiles: options.hiddenFiles ?? false,
    hiddenFolders: options.hiddenFolders ?? false,
    digests: digestsOption(options.digests ?? true),
    writable: options.writable ?? false,
    limits: Object.fromEntries(
      limitNames.map((name) => [
        name,
        numberOption(`limits.${name}`, limits[name], { of, fallback: defaultLimits[name], least: name === 'depth' ? 0 : 1 }),
      ]),
    ) as unknown as FileSystemSkillLimits,
    watch: {
      mode: watch.mode ?? 'auto',
      debounceMs: numberOption('watch.debounceMs', watch.debounceMs, { of, fallback: 100, least: 0 }),
      pollMs: numberOption('watch.pollMs', watch.pollMs, { of, fallback: 2_000, least: 1 }),
    },
    now: options.now ?? (() => performance.now()),
  };
}

function digestsOption(digests: boolean | { readonly folder: string }): boolean | { readonly folder: string } {
  if (typeof digests === 'boolean') return digests;
  if (typeof digests?.folder === 'string' && digests.folder !== '') return { folder: path.resolve(digests.folder) };
  throw new SkillError(
    'invalid-options',
    `Option "digests" of ${of} is ${JSON.stringify(digests)}. Give true, false, or { folder } with a folder to keep them in.`,
  );
}
