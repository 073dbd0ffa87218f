import { SkillError } from '@repertoire/skills-core';
import { isJsonObject, messageOf } from '@repertoire/skills-core/internal';
import { compareSkills, compareText, isResourcePath, isSha256Hex } from '@repertoire/skills-core/provider';
import type { SkillLock } from '@repertoire/skills-core';
import type { LockedSigner, LockedSkill } from '@repertoire/skills-core/internal';
import { lockedSkillKey, lockedSkillTitle } from './skill-lock.ts';

/**
 * Writes a lock as text: JSON with two spaces, every order fixed, a line feed at the end. The same
 * skills give the same bytes, so a change in a file is a change of one line in a review (and of the
 * digest that sums it up).
 *
 * @example
 * ```ts
 * import { createSkillLock, serializeSkillLock } from '@repertoire/skill-trust/lock';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export const lockFile = async (provider: SkillProvider): Promise<string> => serializeSkillLock(await createSkillLock(provider));
 * ```
 */
export function serializeSkillLock(lock: SkillLock): string {
  const skills = [...lock.skills].sort(compareSkills).map(({ name, version, source, signer, digest, frontmatter, body, files }) => ({
    name,
    version,
    source,
    ...(signer !== undefined && { signer: signer === null ? null : { id: signer.id, name: signer.name, fingerprint: signer.fingerprint } }),
    digest,
    frontmatter,
    body,
    files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => compareText(a, b))),
  }));
  return `${JSON.stringify({ lockVersion: lock.lockVersion, skills }, null, 2)}\n`;
}

/**
 * Reads a lock: its text, or the value that a bundler made of the file.
 *
 * @throws {SkillError} `invalid-options` for a lock that is damaged, saying where; or that was
 *   written by a later version of the library
 * @example
 * ```ts
 * import { lockedProvider, parseSkillLock } from '@repertoire/skill-trust/lock';
 * import type { SkillProvider } from '@repertoire/skills-core';
 *
 * export function pinned(provider: SkillProvider, lockFile: string): SkillProvider {
 *   return lockedProvider(provider, parseSkillLock(lockFile));
 * }
 * ```
 */
export function parseSkillLock(source: unknown): SkillLock {
  const value = typeof source === 'string' ? parseJson(source) : source;
  if (!isJsonObject(value)) throw damaged('it', 'is no object');
  if (value['lockVersion'] !== 1) throw damaged('lockVersion', `is ${show(value['lockVersion'])}, and this version of the library reads 1`);
  if (!Array.isArray(value['skills'])) throw damaged('skills', 'is no list');
  const skills = value['skills'].map((entry: unknown, index) => parseEntry(entry, `skills[${index}]`)).sort(compareSkills);
  const seen = new Set<string>();
  for (const skill of skills) {
    if (seen.has(lockedSkillKey(skill))) throw damaged('skills', `has ${lockedSkillTitle(skill)} twice`);
    seen.add(lockedSkillKey(skill));
  }
  return { lockVersion: 1, skills };
}

function parseEntry(entry: unknown, place: string): LockedSkill {
  if (!isJsonObject(entry)) throw damaged(place, 'is no object');
  const text = (key: string): string => {
    const value = entry[key];
    if (typeof value !== 'string' || value === '') throw damaged(`${place}.${key}`, `is ${show(value)}, and should be text`);
    return value;
  };
  const { version, files } = entry;
  if (version !== null && typeof version !== 'string') throw damaged(`${place}.version`, `is ${show(version)}, and should be text or null`);
  if (!isJsonObject(files)) throw damaged(`${place}.files`, 'is no object');
  const digests = Object.entries(files).map(([path, digest]): [string, string] => {
    if (!isResourcePath(path)) throw damaged(`${place}.files`, `has ${show(path)}, which is no path of a file in a skill`);
    return [path, hex(digest, `${place}.files[${show(path)}]`)];
  });
  if (!Object.hasOwn(files, 'SKILL.md')) throw damaged(`${place}.files`, 'has no SKILL.md');
  return {
    name: text('name'),
    version,
    source: text('source'),
    ...(entry['signer'] !== undefined && { signer: parseSigner(entry['signer'], `${place}.signer`) }),
    digest: hex(entry['digest'], `${place}.digest`),
    frontmatter: hex(entry['frontmatter'], `${place}.frontmatter`),
    body: hex(entry['body'], `${place}.body`),
    files: Object.fromEntries(digests),
  };
}

function parseSigner(value: unknown, place: string): LockedSigner | null {
  if (value === null) return null;
  if (!isJsonObject(value)) throw damaged(place, `is ${show(value)}, and should be an object or null`);
  const { id, name, fingerprint } = value;
  if (typeof id !== 'string' || id === '' || typeof name !== 'string') throw damaged(place, 'has no text as id or name');
  return { id, name, fingerprint: fingerprint === null ? null : hex(fingerprint, `${place}.fingerprint`) };
}

function hex(value: unknown, place: string): string {
  if (typeof value !== 'string' || !isSha256Hex(value))
    throw damaged(place, `is ${show(value)}, and should be a SHA-256 in 64 digits of lower-case hex`);
  return value;
}

function parseJson(text: string): unknown {
  if (/^<{7} /m.test(text)) throw damaged('it', 'holds the marks of a merge conflict');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw damaged('it', `is no JSON: ${messageOf(cause)}`, cause);
  }
}

function damaged(place: string, what: string, cause?: unknown): SkillError {
  return new SkillError(
    'invalid-options',
    `The lock of skills cannot be used: ${place} ${what}. Restore the file from version control, or make it anew with createSkillLock.`,
    { cause },
  );
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
