import type { SkillDigests } from '../digest/digest-of-skill.ts';

/** One pinned skill. Digests are SHA-256 in lower-case hex, see `digestOfSkill`. */
export interface LockedSkill extends SkillDigests {
  readonly name: string;
  readonly version: string | null;
  /** Label of the source that served it when it was pinned. For people: what is verified is what is served, whoever serves it. */
  readonly source: string;
}

/** Every skill of a provider, pinned: plain JSON, in the order of the listing. Keep it under version control and review its changes. */
export interface SkillLock {
  /** Version of this form. */
  readonly lockVersion: 1;
  readonly skills: readonly LockedSkill[];
}

/** How a skill is named in messages: `billing@1.2.0`. */
export function lockedSkillTitle({ name, version }: { readonly name: string; readonly version?: string | null | undefined }): string {
  return printable(version === undefined || version === null ? name : `${name}@${version}`);
}

/** Text of a source that may be hostile, safe on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** What tells the entries of a lock apart. */
export function lockedSkillKey({ name, version }: { readonly name: string; readonly version: string | null }): string {
  return JSON.stringify([name, version]);
}
