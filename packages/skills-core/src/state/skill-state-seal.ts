import { SkillError } from '../errors/skill-error.ts';
import { canonicalJson } from '../providers/digest/canonical-json.ts';
import { webCrypto } from '../providers/digest/sha256-hex.ts';
import { parseSkillState } from './parse-skill-state.ts';
import type { LoadedSkill, SkillState } from './skill-state.ts';

/** Signs the loaded skills of a state, and recognizes them again. */
export interface SkillStateSeal {
  /**
   * The same state with a `seal` on each entry.
   *
   * @param scope names the conversation, such as an id of a thread and of a user: an entry counts
   *   in no other scope
   */
  seal(state: SkillState, scope: string): Promise<SkillState>;
  /** The entries that this host sealed in this scope. */
  open(claimed: unknown, scope: string): Promise<SkillState>;
}

/** The fewest characters of a secret that nobody can try out. */
const minSecretCharacters = 32;

/**
 * Seals states by HMAC-SHA-256, so that a client can keep the state of a conversation and cannot
 * write it. A seal covers the name and every field of the entry. A client can still remove an
 * entry, or bring back one that was sealed in the same scope: use a new scope, or keep the state on
 * the server, where that matters.
 *
 * @param secrets at least 32 random characters, the same on every machine. With several, the first
 *   one seals and all of them open: put a new one first, and remove the old one when its states
 *   have expired
 * @throws {SkillError} `invalid-options` without a secret, or for one that is too short;
 *   `unsupported` where the platform has no Web Crypto
 * @example A route that keeps nothing: the state travels with the client
 * ```ts
 * import type { SkillState } from '@repertoire/skills-core';
 * import { skillStateSeal, type SkillStateBox } from '@repertoire/skills-core/adapter';
 *
 * export async function boxOf(secret: string, conversation: string, fromClient: unknown) {
 *   const seal = skillStateSeal(secret);
 *   const box: SkillStateBox = { current: await seal.open(fromClient, conversation) };
 *   return { box, forClient: (): Promise<SkillState> => seal.seal(box.current, conversation) };
 * }
 * ```
 */
export function skillStateSeal(secrets: string | readonly string[]): SkillStateSeal {
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  if (
    !Array.isArray(all) ||
    all.length === 0 ||
    !all.every((secret) => typeof secret === 'string' && secret.length >= minSecretCharacters)
  ) {
    throw new SkillError('invalid-options', `The secret of a state needs at least ${minSecretCharacters} random characters.`);
  }
  const subtle = webCrypto();
  if (subtle === undefined) throw new SkillError('unsupported', 'This platform has no Web Crypto, which sealed states need.');
  const encoder = new TextEncoder();
  const keys = all.map((secret) =>
    subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']),
  );
  const covered = (name: string, { seal: _seal, ...entry }: LoadedSkill, scope: string) =>
    encoder.encode(canonicalJson([scope, name, entry]));
  return {
    async seal({ loaded }, scope) {
      const key = (await keys[0]) as CryptoKey;
      const sealed = Object.entries(loaded).map(async ([name, skill]) => {
        const bytes = new Uint8Array(await subtle.sign('HMAC', key, covered(name, skill, scope)));
        return [name, { ...skill, seal: btoa(String.fromCharCode(...bytes)) }] as const;
      });
      return { loaded: Object.fromEntries(await Promise.all(sealed)) };
    },
    async open(claimed, scope) {
      const isOurs = async (name: string, skill: LoadedSkill): Promise<boolean> => {
        const bytes = bytesOf(skill.seal);
        if (bytes === undefined) return false;
        for (const key of keys) if (await subtle.verify('HMAC', await key, bytes, covered(name, skill, scope))) return true;
        return false;
      };
      const checked = Object.entries(parseSkillState(claimed).loaded).map(async ([name, skill]) =>
        (await isOurs(name, skill)) ? [[name, skill] as const] : [],
      );
      return { loaded: Object.fromEntries((await Promise.all(checked)).flat()) };
    },
  };
}

function bytesOf(seal: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof seal !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(seal)) return undefined;
  return Uint8Array.from(atob(seal), (character) => character.charCodeAt(0));
}
