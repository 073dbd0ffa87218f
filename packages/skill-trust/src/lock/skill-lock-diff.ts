import type { SkillLock, SkillProvider } from '@repertoire/skills-core';
import { compareEntries, compareFiles, renderFiles, renderSource, type LockedFilesChange } from './compare-files.ts';
import { createSkillLock, type CreateSkillLockOptions } from './create-skill-lock.ts';
import { comparePlugins, renderPluginDiff, type PluginLockDiff } from './plugin-lock-diff.ts';
import type { LockedSigner, LockedSkill } from '@repertoire/skills-core/internal';
import { checkLockEntries, lockedSkillKey, lockedSkillTitle, printable } from './skill-lock.ts';

/** The changes of one skill. */
export interface SkillLockChange {
  readonly name: string;
  readonly version: string | null;
  /** Label of the source, pinned and now. */
  readonly source: { readonly pinned: string; readonly now: string };
  /**
   * Who signed it, pinned and now, where that is not the same: another signer, a renewed
   * certificate, or no signature any more. `null` where it is the same, or where one of the two
   * sides was made without verifying signatures.
   */
  readonly signer: { readonly pinned: LockedSigner | null; readonly now: LockedSigner | null } | null;
  /** Whether level 1 changed: what stands in every prompt. */
  readonly frontmatter: boolean;
  /** Whether the body changed. */
  readonly body: boolean;
  /** Paths of the files that are new, gone or changed. */
  readonly files: LockedFilesChange;
}

/** A skill that only one side has. */
export type SkillLockSide = Pick<LockedSkill, 'name' | 'version' | 'source' | 'digest'>;

/** How skills differ from those that were pinned. A new version is a skill that is added. */
export interface SkillLockDiff {
  /** Whether there is no difference. */
  readonly same: boolean;
  /** The difference in lines for people: `+` added, `-` removed, `~` changed. */
  readonly text: string;
  readonly added: readonly SkillLockSide[];
  readonly removed: readonly SkillLockSide[];
  readonly changed: readonly SkillLockChange[];
  /** The plugins that the skills come from. */
  readonly plugins: PluginLockDiff;
}

/**
 * Compares what was pinned with what a provider serves now, reading every skill as a whole; or with
 * another lock, reading none.
 *
 * @throws {SkillError} `digest-mismatch` for a lock that contradicts itself; `source-unavailable`
 *   as {@link createSkillLock}
 * @example
 * ```ts
 * import { diffSkillLock, parseSkillLock } from '@repertoire/skill-trust/lock';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * // Before a release:
 * export async function checkSkills(lockText: string, provider: SkillProvider): Promise<void> {
 *   const { same, text } = await diffSkillLock(parseSkillLock(lockText), provider);
 *   if (!same) throw new Error(`The skills are not those that were pinned:\n${text}`);
 * }
 * ```
 */
export async function diffSkillLock(
  pinned: SkillLock,
  now: SkillLock | SkillProvider,
  options: CreateSkillLockOptions = {},
): Promise<SkillLockDiff> {
  if ('lockVersion' in now) return compare(pinned, now);
  await checkLockEntries(pinned);
  return compare(pinned, await createSkillLock(now, options));
}

function compare(pinned: SkillLock, now: SkillLock): SkillLockDiff {
  const skills = compareEntries(pinned.skills, now.skills, lockedSkillKey, changeOf);
  const plugins = comparePlugins(pinned.plugins ?? [], now.plugins ?? []);
  const text = [
    ...skills.added.map((skill) => `+ ${lockedSkillTitle(skill)} (${printable(skill.source)})`),
    ...skills.removed.map((skill) => `- ${lockedSkillTitle(skill)} (${printable(skill.source)})`),
    ...skills.changed.map((change) => `~ ${lockedSkillTitle(change)}: ${describe(change)}`),
    ...renderPluginDiff(plugins),
  ].join('\n');
  const same = [skills, plugins].every(({ added, removed, changed }) => added.length + removed.length + changed.length === 0);
  return { same, text, added: skills.added.map(sideOf), removed: skills.removed.map(sideOf), changed: skills.changed, plugins };
}

function describe({ source, signer, frontmatter, body, files }: SkillLockChange): string {
  return [
    ...renderSource(source),
    ...(signer === null ? [] : [`signed by ${signerTitle(signer.now)}, pinned with ${signerTitle(signer.pinned)}`]),
    ...(frontmatter ? ['frontmatter'] : []),
    ...(body ? ['body'] : []),
    ...renderFiles(files),
  ].join(', ');
}

function changeOf(pinned: LockedSkill, now: LockedSkill): SkillLockChange | null {
  if (isSame(pinned, now)) return null;
  const { name, version } = pinned;
  return {
    name,
    version,
    source: { pinned: pinned.source, now: now.source },
    signer: signerChange(pinned, now),
    frontmatter: pinned.frontmatter !== now.frontmatter,
    body: pinned.body !== now.body,
    files: compareFiles(pinned.files, now.files),
  };
}

function isSame(a: LockedSkill, b: LockedSkill): boolean {
  return (
    a.digest === b.digest && a.frontmatter === b.frontmatter && a.body === b.body && a.source === b.source && signerChange(a, b) === null
  );
}

function signerChange({ signer: pinned }: LockedSkill, { signer: now }: LockedSkill): SkillLockChange['signer'] {
  if (pinned === undefined || now === undefined) return null;
  return pinned?.id === now?.id && pinned?.fingerprint === now?.fingerprint ? null : { pinned, now };
}

function signerTitle(signer: LockedSigner | null): string {
  if (signer === null) return 'nobody';
  return `${printable(signer.name)}${signer.fingerprint === null || signer.name.includes(signer.fingerprint) ? '' : ` (${signer.fingerprint.slice(0, 16)})`}`;
}

function sideOf({ name, version, source, digest }: LockedSkill): SkillLockSide {
  return { name, version, source, digest };
}
