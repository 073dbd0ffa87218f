import { SkillError } from '@repertoire/skills-core';

/** Keys of everything that is published under one prefix. */
export interface StoreKeys {
  /** The pointer, the only object that changes. */
  readonly current: string;
  /** What every file's key starts with. */
  readonly files: string;
  /** What every release's key starts with. */
  readonly releases: string;
  file(digest: string): string;
  release(id: string): string;
  /** The signature of a release. */
  signature(id: string): string;
}

/** KV takes 512 bytes for a key. */
const maxPrefixLength = 400;

/**
 * Makes keys that every store has as they are: no store escapes, folds or splits them.
 *
 * @throws {SkillError} `invalid-options` for a prefix with other characters
 */
export function storeKeys(prefix: string): StoreKeys {
  const segments = prefix === '' ? [] : prefix.replace(/\/$/, '').split('/');
  if (prefix.length > maxPrefixLength || !segments.every((segment) => /^[\w.-]+$/.test(segment) && !/^\.+$/.test(segment))) {
    throw new SkillError(
      'invalid-options',
      `The prefix ${JSON.stringify(prefix)} cannot be part of a key in every store. Give letters, digits, ".", "_", "-", with "/" between, such as "team/skills".`,
    );
  }
  const base = segments.map((segment) => `${segment}/`).join('');
  return {
    current: `${base}current.json`,
    files: `${base}files/`,
    releases: `${base}releases/`,
    file: (digest) => `${base}files/${digest}`,
    release: (id) => `${base}releases/${id}.json`,
    signature: (id) => `${base}releases/${id}.sig`,
  };
}
