import { compareText } from '@repertoire/skills-core/provider';
import { printable } from './skill-lock.ts';

/** Names that differ between what was pinned and what is there now. */
export interface LockedFilesChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** The names whose texts differ between two maps: paths and digests, or servers and commands. */
export function compareFiles(pinned: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): LockedFilesChange {
  const paths = (files: Readonly<Record<string, string>>) => Object.keys(files).sort(compareText);
  return {
    added: paths(now).filter((path) => !Object.hasOwn(pinned, path)),
    removed: paths(pinned).filter((path) => !Object.hasOwn(now, path)),
    changed: paths(pinned).filter((path) => Object.hasOwn(now, path) && now[path] !== pinned[path]),
  };
}

/** The same for people: changed paths, `+` for a new one, `-` for one that is gone. */
export function renderFiles({ added, removed, changed }: LockedFilesChange): string[] {
  return [...changed.map(printable), ...added.map((path) => `+${printable(path)}`), ...removed.map((path) => `-${printable(path)}`)];
}

/** The text under a name, which may be any name. */
export function textUnder(texts: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
}
