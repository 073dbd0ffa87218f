import type { SkillState } from '@repertoire/skills-core';
import { SkillError } from '@repertoire/skills-core';
import type { LoadedSkill } from '@repertoire/skills-core/state';
import type { LoadedSkills } from './skills-state.ts';

/** Where an entry belongs: a sealed one is worth nothing in another place. */
export interface SealedIn {
  readonly thread: string | undefined;
  readonly namespace: string | undefined;
}

/** Marks what this host wrote into a graph's state, so that entries of others count for nothing. */
export interface StateSeal {
  /** The entries with their seals. */
  seal(entries: LoadedSkills, place: SealedIn): Promise<LoadedSkills>;
  /** What of a state this host wrote. */
  verified(state: SkillState, place: SealedIn): Promise<SkillState>;
}

/** The fewest characters of a secret that nobody can try out. */
const minSecretCharacters = 32;

/**
 * Seals by HMAC-SHA-256; without a secret, every entry counts.
 *
 * @throws {SkillError} `invalid-options` for a secret that is too short
 */
export function stateSeal(secret: string | undefined): StateSeal {
  if (secret === undefined) return { seal: async (entries) => entries, verified: async (state) => state };
  if (typeof secret !== 'string' || secret.length < minSecretCharacters) {
    throw new SkillError('invalid-options', `stateSecret needs at least ${minSecretCharacters} random characters.`);
  }
  const encoder = new TextEncoder();
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const sealed = (name: string, skill: LoadedSkill, { thread, namespace }: SealedIn) =>
    encoder.encode(
      JSON.stringify([
        thread ?? null,
        namespace ?? null,
        name,
        skill.version,
        skill.revision,
        skill.arguments ?? null,
        skill.untrusted === true,
      ]),
    );
  return {
    async seal(entries, place) {
      const signed = Object.entries(entries).map(async ([name, skill]) => {
        if (skill === null) return [name, null] as const;
        const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await key, sealed(name, skill, place)));
        return [name, { ...skill, seal: btoa(String.fromCharCode(...bytes)) }] as const;
      });
      return Object.fromEntries(await Promise.all(signed));
    },
    async verified({ loaded }, place) {
      const checked = Object.entries(loaded).map(async ([name, skill]) => {
        const bytes = bytesOf((skill as { readonly seal?: unknown }).seal);
        const isOurs = bytes !== undefined && (await crypto.subtle.verify('HMAC', await key, bytes, sealed(name, skill, place)));
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
