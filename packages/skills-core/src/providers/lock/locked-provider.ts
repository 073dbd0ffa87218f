import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillDiagnostic,
  SkillMetadata,
  SkillProvider,
  SkillResource,
} from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import { mediaTypeOf } from '../../contract/media-type.ts';
import { resourceEntry } from '../../contract/resource-entry.ts';
import { filterSkills } from '../versions/filter-skills.ts';
import { checkLockEntries } from './check-lock-entries.ts';
import { frontmatterDigest } from '../digest/digest-of-skill.ts';
import { parseSkillLock } from './lock-file.ts';
import { changed, howToAccept, missing, notAsPinned, notPinned, refused } from './lock-refusals.ts';
import { sha256Hex } from '../digest/sha256-hex.ts';
import { lockedSkillKey, lockedSkillTitle, type LockedSkill, type SkillLock } from './skill-lock.ts';

/** Options of {@link lockedProvider}. */
export interface LockedProviderOptions {
  /**
   * What is done where the source has moved on since it was pinned. In both modes nothing is served that is not pinned.
   *
   * - `verify`: what is pinned and unchanged is served. What is not is left out of the listing, with a diagnostic, and refused where it is asked for by name.
   * - `frozen`: all or nothing. A listing that is not exactly that of the lock rejects: a skill more, a skill less, another description.
   *
   * @default 'verify'
   */
  readonly mode?: 'verify' | 'frozen' | undefined;
}

/**
 * Serves only what was pinned. Everything is verified before it reaches the caller, and it is the verified bytes that are served: level 1 at each listing, level 1,
 * body and list of files at each `getSkill`, the whole file at each `readResource`, however few bytes are asked for.
 *
 * Kind and media type of a file are told by its path, and its digest is that of the lock: what a source says of them is not pinned. The newest version of a skill is the
 * newest that is pinned. A file that is not pinned answers `null`.
 *
 * Calls reject with `digest-mismatch` for a skill or file that is not what was pinned, and for a lock that contradicts itself. Diagnostics besides those of the
 * source: `skill-not-pinned` (warning), `skill-changed` (error), `skill-missing` (warning: pinned, but no longer there).
 *
 * @throws {SkillError} `invalid-options` for a damaged lock
 * @example
 * ```ts
 * import { createSkillset, lockedProvider, parseSkillLock, type SkillProvider } from '@repertoire/skills-core';
 *
 * export function pinnedSkillset(provider: SkillProvider, lockFile: string) {
 *   return createSkillset({ provider: lockedProvider(provider, parseSkillLock(lockFile), { mode: 'frozen' }) });
 * }
 * ```
 */
export function lockedProvider(provider: SkillProvider, lock: SkillLock, { mode = 'verify' }: LockedProviderOptions = {}): SkillProvider {
  const pinned = parseSkillLock(lock);
  if (mode !== 'verify' && mode !== 'frozen')
    throw new SkillError('invalid-options', `mode is ${JSON.stringify(mode)}. Give "verify" or "frozen".`);
  const entries = new Map(pinned.skills.map((skill) => [lockedSkillKey(skill), skill]));
  let checked: Promise<void> | undefined;
  let lastDiagnostics: readonly SkillDiagnostic[] | null = null;

  async function begin(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    checked ??= checkLockEntries(pinned);
    await checked;
  }

  async function list(signal: AbortSignal | undefined): Promise<{ skills: SkillMetadata[]; diagnostics: readonly SkillDiagnostic[] }> {
    const listed = await provider.listSkills({ signal });
    const digests = await Promise.all(listed.map(frontmatterDigest));
    const entryOf = (skill: SkillMetadata) => entries.get(lockedSkillKey(skill));
    const there = new Set(listed.map(lockedSkillKey));
    const diagnostics = [
      ...listed.filter((skill) => entryOf(skill) === undefined).map(notPinned),
      ...listed.filter((skill, index) => entryOf(skill) !== undefined && entryOf(skill)?.frontmatter !== digests[index]).map(changed),
      ...pinned.skills.filter((skill) => !there.has(lockedSkillKey(skill))).map(missing),
    ];
    lastDiagnostics = diagnostics;
    return { skills: filterSkills(listed, (skill, index) => entryOf(skill)?.frontmatter === digests[index]), diagnostics };
  }

  /** The entry that a call is about; where no version is asked for, the one that the listing has first. */
  async function entryFor(name: string, { version, signal }: GetSkillOptions): Promise<LockedSkill | undefined> {
    if (version !== undefined) return entries.get(lockedSkillKey({ name, version }));
    const candidates = pinned.skills.filter((skill) => skill.name === name);
    if (candidates.length < 2) return candidates[0];
    const newest = (await list(signal)).skills.find((skill) => skill.name === name);
    return newest === undefined ? candidates[0] : entries.get(lockedSkillKey(newest));
  }

  return {
    label: provider.label,

    async listSkills({ signal }: SkillCallOptions = {}) {
      await begin(signal);
      const { skills, diagnostics } = await list(signal);
      if (mode === 'frozen' && diagnostics.length > 0) throw notAsPinned(provider.label, diagnostics);
      return skills;
    },

    async getSkill(name: string, { version, signal }: GetSkillOptions = {}): Promise<Skill | null> {
      await begin(signal);
      const entry = await entryFor(name, { version, signal });
      const skill = await provider.getSkill(name, { version: entry?.version ?? version, signal });
      if (skill === null) return null;
      if (entry === undefined) throw refused(notPinned(skill), provider.label);
      if (!(await isAsPinned(skill, entry))) throw refused(changed(entry), provider.label);
      return {
        ...skill,
        resources: skill.resources.map(({ path, size }) =>
          resourceEntry(path, { ...(size !== undefined && { size }), ...digestOf(entry, path) }),
        ),
      };
    },

    async readResource(name: string, path: string, { version, maxBytes, signal }: ReadResourceOptions = {}): Promise<SkillResource | null> {
      await begin(signal);
      const entry = await entryFor(name, { version, signal });
      if (entry === undefined) {
        const resource = await provider.readResource(name, path, { version, maxBytes: 0, signal });
        if (resource === null) return null;
        throw refused(notPinned({ name, version }), provider.label);
      }
      if (!Object.hasOwn(entry.files, path)) return null;
      // The digest is that of the whole file, so the whole file is read.
      const resource = await provider.readResource(name, path, { version: entry.version, signal });
      if (resource === null) return null;
      const digest = await sha256Hex(resource.bytes);
      if (digest !== entry.files[path]) {
        throw new SkillError(
          'digest-mismatch',
          `${path} of skill ${lockedSkillTitle(entry)} is not the file that was pinned. ${howToAccept}`,
          { skill: name, path, source: provider.label },
        );
      }
      const { bytes } = resource;
      return { path, bytes: bytes.slice(0, maxBytes ?? bytes.length), size: bytes.length, mediaType: mediaTypeOf(path), digest };
    },

    async diagnostics({ signal }: SkillCallOptions = {}) {
      await begin(signal);
      const own = lastDiagnostics ?? (await list(signal)).diagnostics;
      const theirs = (await provider.diagnostics?.({ signal })) ?? [];
      return [...theirs, ...own].map((diagnostic) => ({ ...diagnostic }));
    },

    ...(provider.watch !== undefined && { watch: (onChange: () => void) => provider.watch?.(onChange) ?? (() => {}) }),
    ...(provider[Symbol.asyncDispose] !== undefined && {
      async [Symbol.asyncDispose]() {
        await provider[Symbol.asyncDispose]?.();
      },
    }),
  };
}

async function isAsPinned(skill: Skill, entry: LockedSkill): Promise<boolean> {
  const [frontmatter, body] = await Promise.all([frontmatterDigest(skill), sha256Hex(skill.body)]);
  const paths = skill.resources.map(({ path }) => path);
  const sameFiles =
    paths.length === Object.keys(entry.files).length &&
    new Set(paths).size === paths.length &&
    paths.every((path) => Object.hasOwn(entry.files, path));
  return sameFiles && frontmatter === entry.frontmatter && body === entry.body;
}

function digestOf(entry: LockedSkill, path: string): { digest?: string } {
  const digest = entry.files[path];
  return digest === undefined ? {} : { digest };
}
