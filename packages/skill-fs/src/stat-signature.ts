import type { Stats } from 'node:fs';

/** What a file or folder looked like when it was read, to tell whether it changed. */
export interface StatSignature {
  readonly modified: number;
  readonly changed: number;
  readonly size: number;
  readonly inode: number;
  readonly device: number;
  /** Whether an equal signature later proves that nothing changed. */
  readonly trusted: boolean;
}

/** FAT counts two seconds. */
const coarsestClockMs = 2_000;

/**
 * @param readAt start of reading, by `Date.now()`. A change within the same tick would look the
 *   same, so such signatures are not trusted, as in Git's index.
 */
export function statSignature(stats: Stats, readAt: number): StatSignature {
  const { mtimeMs, ctimeMs, size, ino, dev } = stats;
  const trusted = Math.max(mtimeMs, ctimeMs) < readAt - coarsestClockMs;
  return { modified: mtimeMs, changed: ctimeMs, size, inode: ino, device: dev, trusted };
}

/** Whether an opened file looks as it did when it was looked at. */
export function looksAsBefore(then: StatSignature, opened: Stats): boolean {
  return looksSame(then, statSignature(opened, 0));
}

/** A text for a signature; `undefined` where an equal one would prove nothing. */
export function stampOf({ modified, changed, size, inode, device, trusted }: StatSignature): string | undefined {
  return trusted ? `${modified}.${changed}.${size}.${inode}.${device}` : undefined;
}

/** Whether what is there now is certainly what was read then. */
export function isUnchanged(then: StatSignature | null, now: Stats | null): boolean {
  if (then === null || now === null || !then.trusted) return false;
  return (
    then.modified === now.mtimeMs &&
    then.changed === now.ctimeMs &&
    then.size === now.size &&
    then.inode === now.ino &&
    then.device === now.dev
  );
}

/** Whether two readings look the same, trusted or not. */
export function looksSame(a: StatSignature, b: StatSignature): boolean {
  return a.modified === b.modified && a.changed === b.changed && a.size === b.size && a.inode === b.inode && a.device === b.device;
}

/** Whether it is the same folder. Inodes are reused, so this is no proof. */
export function isSameFolder(then: StatSignature, now: StatSignature | undefined): boolean {
  return then.inode === now?.inode && then.device === now.device;
}

/** The clock of a file system may lag so far behind ours. */
const clockLagMs = 20;

/** Whether it may have changed at a time or later, which `Date.now()` told. */
export function isSince(signature: StatSignature | null, time: number): boolean {
  return signature !== null && Math.max(signature.modified, signature.changed) >= time - clockLagMs;
}
