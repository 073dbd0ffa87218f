import { changedFiles, type FileChanges } from '@repertoire/skills-core/internal';
import { printable } from './skill-lock.ts';

/** Names that differ between what was pinned and what is there now. */
export type LockedFilesChange = FileChanges;

/** The names whose texts differ between two maps: paths and digests, or servers and commands. */
export function compareFiles(pinned: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): LockedFilesChange {
  return changedFiles(Object.entries(pinned), Object.entries(now));
}

/** Renders the changes for people: changed paths, `+` for a new one, `-` for one that is gone. */
export function renderFiles({ added, removed, changed }: LockedFilesChange): string[] {
  return [...changed.map(printable), ...added.map((path) => `+${printable(path)}`), ...removed.map((path) => `-${printable(path)}`)];
}

/** Compares entries by their keys. `changeOf` is `null` for two that are the same. */
export function compareEntries<Entry, Change>(
  pinned: readonly Entry[],
  now: readonly Entry[],
  keyOf: (entry: Entry) => string,
  changeOf: (pinned: Entry, now: Entry) => Change | null,
): { readonly added: readonly Entry[]; readonly removed: readonly Entry[]; readonly changed: readonly Change[] } {
  const before = new Map(pinned.map((entry) => [keyOf(entry), entry]));
  const after = new Map(now.map((entry) => [keyOf(entry), entry]));
  return {
    added: now.filter((entry) => !before.has(keyOf(entry))),
    removed: pinned.filter((entry) => !after.has(keyOf(entry))),
    changed: pinned.flatMap((entry) => {
      const other = after.get(keyOf(entry));
      return (other === undefined ? null : changeOf(entry, other)) ?? [];
    }),
  };
}

/** Renders the change of a source for people; empty where there is none. */
export function renderSource({ pinned, now }: { readonly pinned: string; readonly now: string }): string[] {
  return pinned === now ? [] : [`now from "${printable(now)}", pinned from "${printable(pinned)}"`];
}
