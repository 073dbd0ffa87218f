import {
  SkillError,
  type Skill,
  type SkillDiagnostic,
  type SkillLock,
  type SkillMetadata,
  type SkillProvider,
} from '@repertoire/skills-core';
import {
  assertKnownOptions,
  frontmatterDigest,
  type LockedSkill,
  type OptionRules,
  type WrappedProvider,
} from '@repertoire/skills-core/internal';
import {
  compareSkills,
  mediaTypeOf,
  readListing,
  readSkillMd,
  resourceEntry,
  sha256Hex,
  wrapProvider,
  type GetSkillOptions,
  type ReadResourceOptions,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import { parseSkillLock } from './lock-file.ts';
import { checkLockEntries, lockedSkillKey, lockedSkillTitle, printable } from './skill-lock.ts';

/** Options of {@link lockedProvider}. */
export interface LockedProviderOptions {
  /**
   * What happens if the source changed after it was pinned. Both modes serve only what is pinned.
   *
   * - `verify`: skills that are pinned and unchanged are served. All others are left out of the
   *   listing, with a diagnostic, and rejected if they are asked for by name.
   * - `frozen`: a listing that differs from the lock rejects, whether a skill was added, removed or
   *   described anew.
   *
   * @default 'verify'
   */
  readonly mode?: 'verify' | 'frozen' | undefined;
}

const howToAccept = 'Review the change; to accept it, create the lock again with createSkillLock.';

const knownOptions: OptionRules<LockedProviderOptions> = {
  mode: { verify: true, frozen: true },
};

/**
 * Serves only what was pinned. Everything is verified before it reaches the caller, and the
 * verified bytes are what is served: level 1 at each listing; level 1, body and list of files at
 * each `getSkill`; the whole file at each `readResource`, however few bytes are asked for.
 * `SKILL.md` is verified like any other file.
 *
 * `kind` and `mediaType` of a file are derived from its path, and its digest is that of the lock;
 * the source's values are ignored. The newest version of a skill is the newest that is pinned. A
 * file that is not pinned is `null`.
 *
 * Calls reject with `digest-mismatch` for a skill or file that is not what was pinned, and for a
 * lock that contradicts itself. Diagnostics besides those of the source: `skill-not-pinned`
 * (warning), `skill-not-as-pinned` (error), `skill-missing` (warning: pinned, but no longer there).
 *
 * @throws {SkillError} `invalid-options` for a damaged lock
 * @example
 * ```ts
 * import { lockedProvider, parseSkillLock } from '@repertoire/skill-trust/lock';
 * import { createSkillset, type SkillProvider } from '@repertoire/skills-core';
 *
 * export function pinnedSkillset(provider: SkillProvider, lockFile: string) {
 *   return createSkillset({ provider: lockedProvider(provider, parseSkillLock(lockFile), { mode: 'frozen' }) });
 * }
 * ```
 */
export function lockedProvider(provider: SkillProvider, lock: SkillLock, options: LockedProviderOptions = {}): SkillProvider {
  assertKnownOptions('lockedProvider', options, knownOptions);
  const { mode = 'verify' } = options;
  const pinned = parseSkillLock(lock);
  const refused = (message: string, skill?: string, path?: string): SkillError =>
    new SkillError('digest-mismatch', `${message} ${howToAccept}`, { skill, path, source: provider.label });
  const entries = new Map(pinned.skills.map((skill) => [lockedSkillKey(skill), skill]));
  const newestFirst = [...pinned.skills].sort(compareSkills);
  const verified = new WeakMap<SkillListing, SkillListing>();
  let checked: Promise<void> | undefined;

  /** Checks the lock once, before all else. */
  async function begin(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    checked ??= checkLockEntries(pinned);
    await checked;
  }

  async function list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const listing = await readListing(provider, { signal });
    const known = verified.get(listing);
    if (known !== undefined) return known;
    const listed = listing.skills;
    const digests = await Promise.all(listed.map(frontmatterDigest));
    const there = new Set(listed.map(lockedSkillKey));
    const diagnostics = listed.flatMap((skill, index) => {
      const entry = entries.get(lockedSkillKey(skill));
      if (entry === undefined) return [notPinned(skill)];
      return entry.frontmatter === digests[index] ? [] : [changed(skill)];
    });
    const gone = listing.complete ? pinned.skills.filter((skill) => !there.has(lockedSkillKey(skill))).map(missing) : [];
    const result: SkillListing = Object.freeze({
      skills: Object.freeze(listed.filter((skill, index) => entries.get(lockedSkillKey(skill))?.frontmatter === digests[index])),
      diagnostics: Object.freeze([...listing.diagnostics, ...diagnostics, ...gone]),
      complete: listing.complete,
      ...(listing.unconfirmed !== undefined && { unconfirmed: listing.unconfirmed }),
    });
    if (mode === 'frozen' && diagnostics.length + gone.length > 0) {
      const reasons = [...diagnostics, ...gone].map(({ message }) => `\n- ${message}`).join('');
      const message = `The skills of "${provider.label}" are not exactly those that were pinned:${reasons}\n${howToAccept}`;
      throw new SkillError('digest-mismatch', message, { source: provider.label });
    }
    if (Object.isFrozen(listing)) verified.set(listing, result);
    return result;
  }

  /**
   * Returns the entry that a call is about; if no version is asked for, the newest that is served.
   */
  async function entryFor(name: string, { version, signal }: GetSkillOptions): Promise<LockedSkill | undefined> {
    if (version !== undefined) return entries.get(lockedSkillKey({ name, version }));
    const candidates = newestFirst.filter((skill) => skill.name === name);
    if (candidates.length < 2) return candidates[0];
    const newest = (await list(signal)).skills.find((skill) => skill.name === name);
    return newest === undefined ? candidates[0] : entries.get(lockedSkillKey(newest));
  }

  const locked: WrappedProvider = {
    async listSkills({ signal }: SkillCallOptions = {}) {
      await begin(signal);
      return await list(signal);
    },

    async getSkill(name: string, { content, withBytes: _withBytes, ...given }: GetSkillOptions = {}): Promise<Skill | null> {
      await begin(given.signal);
      const entry = await entryFor(name, given);
      const skill = await provider.getSkill(name, { ...given, ...(entry !== undefined && { version: entry.version }) });
      if (skill === null) return null;
      if (entry === undefined) throw refused(notPinned(skill).message, name);
      if (!(await isAsPinned(skill, entry)) || !(await isBodyOfFile(provider, skill, entry, given)))
        throw refused(changed(entry).message, name);
      // The lock decides about the content; files are verified at each read, whatever the source
      // promises.
      if (content !== undefined && content !== entry.digest) return null;
      return asPinned(skill, entry);
    },

    async readResource(name: string, path: string, options: ReadResourceOptions = {}): Promise<SkillResource | null> {
      const { maxBytes, digest: wanted, content, ...given } = options;
      await begin(given.signal);
      const entry = await entryFor(name, given);
      if (entry === undefined) {
        const resource = await provider.readResource(name, path, { ...given, maxBytes: 0 });
        if (resource === null) return null;
        throw refused(notPinned({ name, version: given.version ?? null }).message, name);
      }
      if (!Object.hasOwn(entry.files, path) || (content !== undefined && content !== entry.digest)) return null;
      if (wanted !== undefined && wanted !== entry.files[path]) return null;
      // The digest needs the whole file. Shared memory could change after it was hashed.
      const resource = await provider.readResource(name, path, { ...given, version: entry.version });
      if (resource === null) return null;
      const bytes = resource.bytes.slice();
      const digest = await sha256Hex(bytes);
      if (digest !== entry.files[path])
        throw refused(`${path} of skill ${lockedSkillTitle(entry)} is not the file that was pinned.`, name, path);
      return { path, bytes: bytes.slice(0, maxBytes ?? bytes.length), size: bytes.length, mediaType: mediaTypeOf(path), digest };
    },

    async contentOf(name: string, given: GetSkillOptions = {}): Promise<string | null | undefined> {
      await begin(given.signal);
      const entry = await entryFor(name, given);
      if (entry === undefined) return undefined;
      // If the source reports another content, the skill is not as pinned.
      return (await provider.contentOf?.(name, { ...given, version: entry.version })) ?? entry.digest;
    },
  };
  return wrapProvider(provider, locked);
}

type NamedSkill = Pick<SkillMetadata, 'name' | 'version'>;

/** Reports a skill that the lock does not have. */
function notPinned(skill: NamedSkill): SkillDiagnostic {
  return difference('skill-not-pinned', 'warning', skill, 'is not pinned, so it is not served');
}

/** Reports a skill that differs from the pinned one. */
function changed(skill: NamedSkill): SkillDiagnostic {
  return difference('skill-not-as-pinned', 'error', skill, 'is not what was pinned, so it is not served');
}

/** Reports a pinned skill that is gone. */
function missing(skill: LockedSkill): SkillDiagnostic {
  return difference('skill-missing', 'warning', skill, `is pinned, and "${printable(skill.source)}" no longer has it`);
}

function difference(code: string, severity: SkillDiagnostic['severity'], skill: NamedSkill, what: string): SkillDiagnostic {
  return { code, severity, skill: skill.name, message: `Skill ${lockedSkillTitle(skill)} ${what}.`, fix: howToAccept };
}

async function isAsPinned(skill: Skill, entry: LockedSkill): Promise<boolean> {
  const [frontmatter, body] = await Promise.all([frontmatterDigest(skill), sha256Hex(skill.body)]);
  const paths = new Set(['SKILL.md', ...skill.resources.map(({ path }) => path)]);
  const sameFiles =
    paths.size === skill.resources.length + 1 &&
    paths.size === Object.keys(entry.files).length &&
    [...paths].every((path) => Object.hasOwn(entry.files, path));
  return sameFiles && frontmatter === entry.frontmatter && body === entry.body;
}

/**
 * Whether a body is that of the pinned file. Reviewers compare digests of files, so it must be.
 */
async function isBodyOfFile(provider: SkillProvider, skill: Skill, entry: LockedSkill, { signal }: SkillCallOptions): Promise<boolean> {
  const { bytes, isOriginal } = await readSkillMd(provider, skill, { signal });
  if ((await sha256Hex(bytes)) !== entry.files['SKILL.md']) return false;
  if (!isOriginal) return true;
  const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();
  const [text, body] = [plain(new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD')), plain(skill.body)];
  if (!text.endsWith(body)) return false;
  const above = text
    .slice(0, text.length - body.length)
    .trimEnd()
    .split('\n');
  const delimiters = above.flatMap((line, index) => (/^---[\t ]*$/.test(line) ? [index] : []));
  // The first line that closes the frontmatter does. One that nothing closes ends where its reader
  // says.
  return delimiters.length === 1 || (delimiters.length === 2 ? delimiters[1] === above.length - 1 : above.join('') === '');
}

/**
 * Leaves out the bytes that came with the skill, because they are not verified: files are read by
 * `readResource`.
 */
function asPinned({ files: _files, ...skill }: Skill, entry: LockedSkill): Skill {
  return {
    ...skill,
    content: entry.digest,
    resources: skill.resources.map(({ path, size, description }) =>
      resourceEntry(path, {
        ...(size !== undefined && { size }),
        ...(description !== undefined && { description }),
        ...(entry.files[path] !== undefined && { digest: entry.files[path] }),
      }),
    ),
  };
}
