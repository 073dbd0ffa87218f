/**
 * Remembers who signed each skill, so that a skill cannot change its signer unnoticed. A host keeps it where the skills cannot write:
 * in a lock file, a database. Skills of different sources need different memories.
 *
 * Nothing is known of a skill that is seen for the first time: its first accepted signer is remembered.
 */
export interface SignerMemory {
  /** The `id` of the signer that is remembered for a skill, or `null`. */
  read(skill: string): Promise<string | null>;
  /**
   * Remembers a signer unless one is remembered already, in one step: of two callers at once, one wins.
   *
   * @returns the signer that is remembered now
   */
  remember(skill: string, signer: string): Promise<string>;
  /** Accepts another signer from now on. It is called by people, never for what a source says. */
  acceptSigner(skill: string, signer: string): Promise<void>;
}

/** A {@link SignerMemory} in memory. */
export interface InMemorySignerMemory extends SignerMemory {
  /** What is remembered, by the name of the skill, as plain data to be stored. */
  entries(): Record<string, string>;
}

/**
 * Makes a memory of signers from stored entries. It forgets when the process ends: store `entries()`.
 *
 * @example
 * ```ts
 * import { signerMemory, type SkillSigner } from '@repertoire/skill-trust';
 *
 * const signers = signerMemory(JSON.parse('{"billing":"key:5f2c…"}'));
 *
 * export async function acceptNewSigner(skill: string, signer: SkillSigner): Promise<string> {
 *   await signers.acceptSigner(skill, signer.id);
 *   return JSON.stringify(signers.entries());
 * }
 * ```
 */
export function signerMemory(entries: Readonly<Record<string, string>> = {}): InMemorySignerMemory {
  const signers = new Map(Object.entries(entries));
  return {
    read: async (skill) => signers.get(skill) ?? null,
    remember: async (skill, signer) => {
      if (!signers.has(skill)) signers.set(skill, signer);
      return signers.get(skill) ?? signer;
    },
    acceptSigner: async (skill, signer) => void signers.set(skill, signer),
    entries: () => Object.fromEntries(signers),
  };
}
