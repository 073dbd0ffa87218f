import { SkillError, type SkillLock } from '@repertoire/skills-core';
import {
  compareText,
  isJsonObject,
  isSha256Hex,
  messageOf,
  type LockedPlugin,
  type LockedSigner,
  type LockedSkill,
} from '@repertoire/skills-core/internal';
import { compareSkills, isResourcePath } from '@repertoire/skills-core/provider';
import { show } from '../problem/refusal.ts';
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
    files: inOrder(files),
  }));
  const plugins = lock.plugins
    ?.toSorted((a, b) => compareText(a.name, b.name))
    .map(({ name, version, source, digest, servers, files }) => ({
      name,
      version,
      source,
      digest,
      servers: inOrder(servers),
      files: inOrder(files),
    }));
  return `${JSON.stringify({ lockVersion: lock.lockVersion, skills, ...(plugins !== undefined && { plugins }) }, null, 2)}\n`;
}

function inOrder(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => compareText(a, b)));
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
  return { lockVersion: 1, skills, ...(value['plugins'] !== undefined && { plugins: parsePlugins(value['plugins']) }) };
}

function parseEntry(entry: unknown, place: string): LockedSkill {
  if (!isJsonObject(entry)) throw damaged(place, 'is no object');
  return {
    ...parseCommon(entry, place, 'SKILL.md', isResourcePath),
    ...(entry['signer'] !== undefined && { signer: parseSigner(entry['signer'], `${place}.signer`) }),
    frontmatter: hex(entry['frontmatter'], `${place}.frontmatter`),
    body: hex(entry['body'], `${place}.body`),
  };
}

function parsePlugins(value: unknown): LockedPlugin[] {
  if (!Array.isArray(value)) throw damaged('plugins', 'is no list');
  const names = new Set<string>();
  return value.map((entry: unknown, index) => {
    const place = `plugins[${index}]`;
    if (!isJsonObject(entry)) throw damaged(place, 'is no object');
    const { servers } = entry;
    if (!isJsonObject(servers) || !Object.values(servers).every((server) => typeof server === 'string'))
      throw damaged(`${place}.servers`, 'is no object of texts');
    const plugin = { ...parseCommon(entry, place, null, (path) => path !== ''), servers: { ...servers } as Record<string, string> };
    if (names.has(plugin.name)) throw damaged('plugins', `has ${show(plugin.name)} twice`);
    names.add(plugin.name);
    return plugin;
  });
}

function parseCommon(
  entry: Readonly<Record<string, unknown>>,
  place: string,
  main: string | null,
  isPath: (path: string) => boolean,
): Pick<LockedSkill, 'name' | 'version' | 'source' | 'digest' | 'files'> {
  const text = (key: string): string => {
    const value = entry[key];
    if (typeof value !== 'string' || value === '') throw damaged(`${place}.${key}`, `is ${show(value)}, and should be text`);
    return value;
  };
  const { version, files } = entry;
  if (version !== null && typeof version !== 'string') throw damaged(`${place}.version`, `is ${show(version)}, and should be text or null`);
  if (!isJsonObject(files)) throw damaged(`${place}.files`, 'is no object');
  const digests = Object.entries(files).map(([path, digest]): [string, string] => {
    if (!isPath(path)) throw damaged(`${place}.files`, `has ${show(path)}, which is no path of a file in it`);
    return [path, hex(digest, `${place}.files[${show(path)}]`)];
  });
  if (main !== null && !Object.hasOwn(files, main)) throw damaged(`${place}.files`, `has no ${main}`);
  return {
    name: text('name'),
    version,
    source: text('source'),
    digest: hex(entry['digest'], `${place}.digest`),
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
