import { SkillError } from '../errors/skill-error.ts';
import { webCrypto } from '../providers/digest/sha256-hex.ts';
import { parseSkillState } from './parse-skill-state.ts';
import type { LoadedSkill, SkillState } from './skill-state.ts';

/** Signs the loaded skills of a state, and recognizes them again. */
export interface SkillStateSeal {
  /**
   * The same state with a `seal` on each entry.
   *
   * @param scope names the conversation, such as an id of a thread and of a user: an entry counts in no other scope
   */
  seal(state: SkillState, scope: string): Promise<SkillState>;
  /** The entries of a claimed state that this host sealed in this scope. Everything else is left out, and so is what is no state. */
  open(claimed: unknown, scope: string): Promise<SkillState>;
}

/** The fewest characters of a secret that nobody can try out. */
const minSecretCharacters = 32;

/**
 * Seals states by HMAC-SHA-256, so that a client can keep the state of a conversation and cannot write it. A seal covers the skill, its
 * version, revision and arguments, and whether it is trusted. A client can still remove an entry, or bring back one that was sealed in the
 * same scope: use a new scope, or keep the state on the server, where that matters.
 *
 * @param secret at least 32 random characters, the same on every machine
 * @throws {SkillError} `invalid-options` for a secret that is too short; `unsupported` where the platform has no Web Crypto
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
export function skillStateSeal(secret: string): SkillStateSeal {
  if (typeof secret !== 'string' || secret.length < minSecretCharacters) {
    throw new SkillError('invalid-options', `The secret of a state needs at least ${minSecretCharacters} random characters.`);
  }
  const subtle = webCrypto();
  if (subtle === undefined) throw new SkillError('unsupported', 'This platform has no Web Crypto, which sealed states need.');
  const encoder = new TextEncoder();
  const key = subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const covered = (name: string, skill: LoadedSkill, scope: string) =>
    encoder.encode(JSON.stringify([scope, name, skill.version, skill.revision, skill.arguments ?? null, skill.untrusted === true]));
  return {
    async seal({ loaded }, scope) {
      const sealed = Object.entries(loaded).map(async ([name, skill]) => {
        const bytes = new Uint8Array(await subtle.sign('HMAC', await key, covered(name, skill, scope)));
        return [name, { ...skill, seal: btoa(String.fromCharCode(...bytes)) }] as const;
      });
      return { loaded: Object.fromEntries(await Promise.all(sealed)) };
    },
    async open(claimed, scope) {
      const checked = Object.entries(parseSkillState(claimed).loaded).map(async ([name, skill]) => {
        const bytes = bytesOf(skill.seal);
        const isOurs = bytes !== undefined && (await subtle.verify('HMAC', await key, bytes, covered(name, skill, scope)));
        return isOurs ? [[name, skill] as const] : [];
      });
      return { loaded: Object.fromEntries((await Promise.all(checked)).flat()) };
    },
  };
}

function bytesOf(seal: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof seal !== 'string' || !/^[A-Za-z0-9+/]{43}=$/.test(seal)) return undefined;
  return Uint8Array.from(atob(seal), (character) => character.charCodeAt(0));
}
