import { SkillError } from '@repertoire/skills-core';

/** Keys of everything that is published with one prefix. */
export interface StoreKeys {
  /** Key of the pointer, the only object that changes. */
  readonly current: string;
  /** Prefix of the keys of files. */
  readonly files: string;
  /** Prefix of the keys of releases. */
  readonly releases: string;
  file(digest: string): string;
  release(id: string): string;
  /** Key of the signature of a release. */
  signature(id: string): string;
}

/** KV accepts keys of up to 512 bytes. */
const maxPrefixLength = 400;

/**
 * Creates keys that are valid in every store: no store escapes, case-folds or splits them.
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
